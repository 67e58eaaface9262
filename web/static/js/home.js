// The start page: a row of tiles to look at, and the latest games.
import { $ } from "./dom.js";
import { drawSets, plainSets } from "./sets.js";
import "./gamelist.js";

$("#hero-tiles")?.append(drawSets(plainSets([["B4", "B5", "B6", "J"], ["R8", "K8", "O8"]])));
