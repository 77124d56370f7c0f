/** The imports of one generated file, collected while it is printed. */
import { byText, camelCase, capitalized } from "./plain-name.ts";

/** Assigns local names to types of other files, never one that the file itself defines. */
export class ImportList {
  readonly #ownNames: ReadonlySet<string>;
  /** Module → exported name → local name. */
  readonly #modules = new Map<string, Map<string, string>>();

  constructor(ownNames: Iterable<string>) {
    this.#ownNames = new Set(ownNames);
  }

  /** Returns the local name of a type; `label` is prepended where the file has a type of the same name. */
  use(module: string, name: string, label: string): string {
    const names = this.#modules.get(module) ?? new Map<string, string>();
    const local = this.#ownNames.has(name) ? this.#free(`${capitalized(camelCase(label))}${name}`) : name;
    names.set(name, local);
    this.#modules.set(module, names);
    return local;
  }

  /** One line per module, packages before files. */
  print(): string {
    const modules = [...this.#modules].toSorted(([a], [b]) => Number(a.startsWith(".")) - Number(b.startsWith(".")) || byText(a, b));
    return modules
      .map(([module, names]) => {
        const list = [...names]
          .toSorted(([a], [b]) => byText(a, b))
          .map(([name, local]) => (name === local ? name : `${name} as ${local}`));
        return `import type { ${list.join(", ")} } from ${JSON.stringify(module)};\n`;
      })
      .join("");
  }

  #free(name: string): string {
    return this.#ownNames.has(name) ? this.#free(`${name}_`) : name;
  }
}
