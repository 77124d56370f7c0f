/**
 * Decides which modules of a bundle share a file.
 *
 * By default, a module is in a chunk with those that exactly the same entry points load: 46 files for `import "drover"`, of
 * which each takes Node a third of a millisecond to find, open and link. Here only the entry points that programs start
 * with count, and the parts that they import() later; the other entry points may load more than they need.
 *
 *     chunks of a first build → chunkNames → (module id) => name of its chunk
 */

/** Bytes that an entry point may load in vain for one file less: the file takes longer to open and link than they to compile. */
const spareBytes = 30_000;
/** The same for entry points that few programs start with. */
const rareSpareBytes = 100_000;

/**
 * @param chunks - of a build without these names: they tell who loads a module, and what it imports after unused code is gone
 * @param options - `doors`: names of the entry points that count; `rare`: those of them that few programs start with;
 *   `isApart`: whether a module keeps its chunk
 */
export function chunkNames(chunks, { doors, rare, isApart }) {
  const later = chunks.filter(({ isDynamicEntry, moduleIds = [] }) => isDynamicEntry && !moduleIds.some(isApart));
  const loaders = [...doors.map((door) => [door, `${door}.js`]), ...later.map(({ name, fileName }) => [name, fileName])];
  const loadersOf = new Map();
  for (const [loader, file] of loaders)
    for (const chunk of loadedWith(chunks, file)) loadersOf.set(chunk.fileName, [...(loadersOf.get(chunk.fileName) ?? []), loader]);
  const groupOf = new Map(chunks.map(({ fileName }) => [fileName, fileName]));
  for (const [file, names] of loadersOf) {
    // What several entry points load is there when `drover` imports a part later.
    const first = names.filter((name) => doors.includes(name));
    const group = first.length > 1 && first.includes("index") ? first : names;
    // A module with one loader is part of the loader's own file.
    if (group.length > 1) groupOf.set(file, group.join("-"));
  }
  const limits = new Map(doors.map((door) => [`${door}.js`, rare.includes(door) ? rareSpareBytes : spareBytes]));
  mergeSmall(chunks, groupOf, limits);
  const nameOf = new Map(
    chunks.flatMap(({ fileName, moduleIds = [] }) => {
      const group = groupOf.get(fileName);
      return group === fileName ? [] : moduleIds.map((id) => [id, group]);
    }),
  );
  return (id) => nameOf.get(id) ?? null;
}

/** The chunks that are loaded with the given one. */
export function loadedWith(chunks, first) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set([first]);
  for (const name of loaded) for (const imported of byName.get(name)?.imports ?? []) loaded.add(imported);
  return [...loaded].flatMap((name) => byName.get(name) ?? []);
}

/** Joins groups, smallest first, as long as no entry point loads more than its limit in vain and no two files import each other. */
function mergeSmall(chunks, groupOf, limits) {
  const before = groupGraph(chunks, groupOf);
  const own = new Map([...limits.keys()].map((door) => [door, before.loadedBytes(door)]));
  const groups = [...new Set(groupOf.values())].filter((group) => !groupOf.has(group));
  for (const group of groups.toSorted((a, b) => before.bytes.get(a) - before.bytes.get(b) || (a < b ? -1 : 1))) {
    const moved = [...groupOf].flatMap(([file, other]) => (other === group ? [file] : []));
    const choices = groups.flatMap((other) => {
      if (other === group || ![...groupOf.values()].includes(other)) return [];
      const graph = groupGraph(chunks, new Map([...groupOf, ...moved.map((file) => [file, other])]));
      const spare = [...limits].map(([door, limit]) => ({ limit, bytes: graph.loadedBytes(door) - own.get(door) }));
      return graph.hasCycle || spare.some(({ limit, bytes }) => bytes > limit)
        ? []
        : [{ other, bytes: spare.reduce((sum, each) => sum + each.bytes, 0) }];
    });
    const [best] = choices.toSorted((a, b) => a.bytes - b.bytes || (a.other < b.other ? -1 : 1));
    if (best !== undefined) for (const file of moved) groupOf.set(file, best.other);
  }
}

/** The chunks as files: what each imports, and how much code an entry point loads. */
function groupGraph(chunks, groupOf) {
  const [needs, bytes] = [new Map(), new Map()];
  for (const { fileName, code = "", imports = [] } of chunks) {
    const group = groupOf.get(fileName);
    bytes.set(group, (bytes.get(group) ?? 0) + code.length);
    const others = imports.flatMap((name) => groupOf.get(name) ?? []).filter((other) => other !== group);
    needs.set(group, new Set([...(needs.get(group) ?? []), ...others]));
  }
  const done = new Set();
  const leadsBack = (group, path) => {
    if (done.has(group)) return false;
    done.add(group);
    return [...needs.get(group)].some((other) => path.includes(other) || leadsBack(other, [...path, other]));
  };
  const loadedBytes = (first) => {
    const loaded = new Set([first]);
    for (const group of loaded) for (const other of needs.get(group)) loaded.add(other);
    return [...loaded].reduce((sum, group) => sum + bytes.get(group), 0);
  };
  return { bytes, loadedBytes, hasCycle: [...needs.keys()].some((group) => leadsBack(group, [group])) };
}
