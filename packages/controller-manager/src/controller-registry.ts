/**
 * The controllers there are, by name, and which of them are to run.
 *
 *     ControllerDescriptor[] → controllerRegistry → select(["*", "-deployment-controller"]) → those to be added
 */
import type { ControllerDescriptor } from "./host/controller-descriptor.ts";

export interface ControllerRegistry {
  /** Canonical names, in the order of registration. */
  readonly names: readonly string[];
  /**
   * Those that a list enables, in the order of registration: "foo" runs foo, "-foo" does not, "*" runs all that are not
   * disabled by default; what names
   * a controller counts more than "*", and what stands first more than what follows. Names may be aliases. Throws for a
   * name that is nobody's.
   */
  readonly select: (list: readonly string[]) => readonly ControllerDescriptor[];
}

/** Throws when two have the same name or alias, or one has for an alias what another is called. */
export function controllerRegistry(descriptors: readonly ControllerDescriptor[]): ControllerRegistry {
  const names = new Map<string, string>();
  for (const { name, aliases } of descriptors) {
    for (const word of [name, ...aliases]) {
      const taken = names.get(word);
      if (taken !== undefined) throw new Error(`controller ${name}: the name ${word} is taken by ${taken}; give one of them another`);
      names.set(word, name);
    }
  }
  return { names: descriptors.map(({ name }) => name), select: (list) => selectControllers(descriptors, names, list) };
}

function selectControllers(
  descriptors: readonly ControllerDescriptor[],
  names: ReadonlyMap<string, string>,
  list: readonly string[],
): readonly ControllerDescriptor[] {
  const wishes = list
    .filter((item) => item !== "*")
    .map((item) => {
      const isWanted = !item.startsWith("-");
      const word = isWanted ? item : item.slice(1);
      const name = names.get(word);
      if (name === undefined)
        throw new Error(`there is no controller "${word}"; those known are ${descriptors.map((known) => known.name).join(", ")}`);
      return { name, isWanted };
    });
  return descriptors.filter(
    ({ name, isDisabledByDefault = false }) =>
      wishes.find((wish) => wish.name === name)?.isWanted ?? (list.includes("*") && !isDisabledByDefault),
  );
}
