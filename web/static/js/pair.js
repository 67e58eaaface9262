// The form that a QR code opens is filled in already: one press joins.
import { $ } from "./dom.js";

if (!$("#code").value) $("#code").focus();
else $("#pair-form button").focus();
