// Which of the tiles that lie now a verdict faults: a verdict knows texts, the picture knows places.
const texts = (tiles) => tiles.map((one) => one.text);
const sorted = (tiles) => texts(tiles).sort().join(" ");

/** The sets as they lie now, with `faulty` on what the standing verdict of `last` faults, as far as it still lies there. */
export function withFaults(sets, last) {
  if (!last?.standing || last.verdict !== "illegal") return sets;
  const wanted = (last.table?.sets || []).filter((one) => one.state === "faulty" || one.tiles.some((lying) => lying.faulty));
  const left = wanted.map((one) => ({ key: sorted(one.tiles), state: one.state, faulty: texts(one.tiles.filter((lying) => lying.faulty)) }));
  return sets.map((one) => {
    const at = left.findIndex((fault) => fault.key === sorted(one.tiles));
    if (at < 0) return one;
    const [fault] = left.splice(at, 1);
    const tiles = one.tiles.map((lying) => {
      const place = fault.faulty.indexOf(lying.text);
      if (place < 0) return lying;
      fault.faulty.splice(place, 1);
      return { ...lying, faulty: true };
    });
    return { ...one, tiles, state: fault.state === "faulty" ? "faulty" : one.state };
  });
}

/** Whether two tables are the same but for the order of sets and tiles; rows of texts. */
export const sameTable = (one, other) => tableKey(one) === tableKey(other);
const tableKey = (rows) => rows.map((row) => [...row].sort().join(" ")).sort().join("|");
