/**
 * Imports between the folders of a package run one way: the folders, with the files beside them, form a graph without
 * cycles. Tests, files that only tests import, and testing folders are exempt; the plan lists exceptions with their
 * reasons.
 */
import { resolveRelative, type Finding, type House, type Package, type SourceFile } from "../house.ts";
import { folderExceptions } from "../plan.ts";
import { testFiles } from "../test-files.ts";

/** An import from one folder to another. */
interface Crossing {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly line: number;
}

export function folders(house: House): Finding[] {
  return house.packages.flatMap((pkg) => {
    const crossings = crossingsOf(pkg).filter(({ from, to }) => !isException(pkg, from, to));
    return cyclesOf(crossings).flatMap((cycle) => findingsOf(cycle));
  });
}

const isException = ({ folder }: Package, from: string, to: string): boolean =>
  folderExceptions.some((known) => known.package === folder && known.from === from && known.to === to);

function crossingsOf(pkg: Package): Crossing[] {
  const root = `packages/${pkg.folder}/src/`;
  const placeOf = (path: string): string => path.slice(root.length).split("/")[0] ?? "";
  const forTests = testFiles(pkg);
  const isSource = ({ path }: SourceFile): boolean => path.startsWith(root) && !forTests.has(path) && !/\/testing(?:\/|\.ts$)/.test(path);
  return pkg.files.filter(isSource).flatMap((file) =>
    file.imports.flatMap(({ specifier, line }) => {
      if (!specifier.startsWith(".")) return [];
      const target = resolveRelative(file.path, specifier);
      const [from, to] = [placeOf(file.path), placeOf(target)];
      // The cycles rule checks imports between two files of src.
      const isBetweenFiles = from.endsWith(".ts") && to.endsWith(".ts");
      return from === to || isBetweenFiles || !target.startsWith(root) ? [] : [{ from, to, path: file.path, line }];
    }),
  );
}

/** Returns the crossings within each group of folders that reach each other. */
function cyclesOf(crossings: readonly Crossing[]): Crossing[][] {
  const reach = new Map<string, Set<string>>();
  const reachable = (start: string): Set<string> => {
    const known = reach.get(start);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    const waiting = [start];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop())
      for (const { from, to } of crossings)
        if (from === place && !seen.has(to)) {
          seen.add(to);
          waiting.push(to);
        }
    reach.set(start, seen);
    return seen;
  };
  const groups = new Map<string, Crossing[]>();
  for (const crossing of crossings) {
    const { from, to } = crossing;
    if (!reachable(to).has(from)) continue;
    const members = [...reachable(from)].filter((place) => reachable(place).has(from)).toSorted();
    const group = groups.get(members.join()) ?? [];
    group.push(crossing);
    groups.set(members.join(), group);
  }
  return [...groups.values()];
}

/** Reports the imports that point upwards, in an order of the folders that keeps them few. */
function findingsOf(crossings: readonly Crossing[]): Finding[] {
  const order = downwardOrder(crossings);
  return crossings
    .filter(({ from, to }) => order.indexOf(from) > order.indexOf(to))
    .map(({ from, to, path, line }) => ({
      rule: "folders",
      path,
      line,
      message: `${from} imports ${to}, which reaches ${from} again; move the shared code below both, or pass it in`,
    }));
}

/** Orders folders greedily: first the folder that imports most and is imported least. */
function downwardOrder(crossings: readonly Crossing[]): string[] {
  const places = new Set(crossings.flatMap(({ from, to }) => [from, to]));
  const order: string[] = [];
  while (places.size > 0) {
    const left = crossings.filter(({ from, to }) => places.has(from) && places.has(to));
    const weight = (place: string): number =>
      left.filter(({ from }) => from === place).length - left.filter(({ to }) => to === place).length;
    const [next = ""] = [...places].toSorted((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1));
    order.push(next);
    places.delete(next);
  }
  return order;
}
