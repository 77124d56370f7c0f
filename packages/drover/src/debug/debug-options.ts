/**
 * Whether and where an operator can be asked.
 *
 *     run({ debug }), DROVER_DEBUG → debugPort → port, or none
 */

/** Options of the debug endpoint. */
export interface DebugOptions {
  /** Port on the loopback address; 0 lets the system choose one. @default 4679, or another free port if it is in use */
  readonly port?: number;
}

/** Port of the endpoint if none is configured: fixed, so that `kubectl port-forward` needs no look into the pod. */
export const defaultPort = 4679;

/** Port to open; another one may be used instead unless `isChosen`. */
export interface DebugPort {
  readonly port: number;
  readonly isChosen: boolean;
}

/** Returns the port; undefined if the endpoint is off. Throws a `TypeError` that names the option or variable, and the fix. */
export function debugPort(
  debug: false | DebugOptions | undefined,
  { DROVER_DEBUG: text = "" }: Readonly<Record<string, string | undefined>>,
): DebugPort | undefined {
  if (debug === false) return undefined;
  if (debug?.port !== undefined) {
    if (!isPort(debug.port)) throw new TypeError(`debug.port: ${String(debug.port)} is not a port\n  fix: a whole number from 0 to 65535`);
    return { port: debug.port, isChosen: debug.port !== 0 };
  }
  if (text === "") return { port: defaultPort, isChosen: false };
  if (text === "off") return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!isPort(port))
    throw new TypeError(`DROVER_DEBUG: ${JSON.stringify(text.slice(0, 60))} is not a port\n  fix: a number from 0 to 65535, or off`);
  return { port, isChosen: port !== 0 };
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535;
