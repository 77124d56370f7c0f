/** Lines of `--help` for flags of Go programs. */

/** A flag, its placeholder and its meaning. */
export interface ShownFlag {
  readonly type: "value" | "switch";
  readonly value?: string;
  readonly help: string;
  readonly short?: string;
}

const columns = 40;

/** One line per flag: "  --bind-address ADDRESS   address to listen on". */
export function flagLines(flags: readonly (readonly [name: string, flag: ShownFlag])[]): string {
  return flags
    .map(([name, { type, value = type === "switch" ? "" : "VALUE", help, short }]) => {
      // Go's programs take one letter with one dash.
      const shown = `  ${name.length === 1 ? "-" : "--"}${name} ${value}`.trimEnd();
      const also = short === undefined || short === name ? "" : `, -${short}`;
      return `${`${shown}${also}`.padEnd(columns)} ${help}\n`;
    })
    .join("");
}
