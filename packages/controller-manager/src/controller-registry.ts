/**
 * Known controllers by name, and the selection of those to run.
 *
 *     ControllerDescriptor[] → controllerRegistry → select(["*", "-deployment-controller"]) → the descriptors to add
 */
import type { ControllerDescriptor } from "./host/controller-descriptor.ts";

export interface ControllerRegistry {
  /** Canonical names, in the order of registration. */
  readonly names: readonly string[];
  /**
   * Returns the controllers that a list enables, in the order of registration: "foo" runs foo, "-foo" does not, "*" runs all that
   * are not disabled by default. An entry that names a controller wins over "*", and the first entry for a controller over later
   * ones. Aliases work like names. Throws for an unknown name.
   */
  readonly select: (list: readonly string[]) => readonly ControllerDescriptor[];
}

/** Returns a registry. Throws when a name or alias is used twice. */
export function controllerRegistry(descriptors: readonly ControllerDescriptor[]): ControllerRegistry {
  const names = new Map<string, string>();
  for (const { name, aliases } of descriptors) {
    for (const word of [name, ...aliases]) {
      const taken = names.get(word);
      if (taken !== undefined) throw new Error(`controller ${name}: ${taken} already has the name ${word}; rename one of them`);
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
        throw new Error(`unknown controller "${word}"; known controllers: ${descriptors.map((known) => known.name).join(", ")}`);
      return { name, isWanted };
    });
  return descriptors.filter(
    ({ name, isDisabledByDefault = false }) =>
      wishes.find((wish) => wish.name === name)?.isWanted ?? (list.includes("*") && !isDisabledByDefault),
  );
}
