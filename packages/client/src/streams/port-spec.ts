/**
 * Local and remote port as people write them: "8080", "8080:80", ":80".
 */

export interface PortSpec {
  /** Port to listen on; 0 lets the system choose one. */
  readonly local: number;
  /** The port of the pod. */
  readonly remote: number;
}

/** Parses "8080" (both the same), "8080:80", and ":80" or "0:80" (any free local port). Throws a `TypeError` that names the problem. */
export function parsePortSpec(text: string): PortSpec {
  const parts = text.split(":");
  if (parts.length > 2) throw new TypeError(`invalid port format '${text}': write REMOTE or LOCAL:REMOTE`);
  const [first = "", second = first] = parts;
  const local = first === "" && parts.length === 2 ? 0 : parsePort("local", first, text);
  const remote = parsePort("remote", second, text);
  if (remote === 0) throw new TypeError(`the remote port in '${text}' must be greater than 0`);
  return { local, remote };
}

function parsePort(which: "local" | "remote", digits: string, text: string): number {
  const port = Number(digits);
  if (!/^[0-9]{1,10}$/.test(digits) || port > 65_535) throw new TypeError(`the ${which} port in '${text}' is not a number from 0 to 65535`);
  return port;
}
