/**
 * The node ports of a store as kube-apiserver records them: a RangeAllocation, whose data is one large number with a bit for each port.
 *
 *     text of the store ⇄ readPortRecord, portRecordText ⇄ NodePorts
 */
import { decodeJson, encodeJson, isJsonObject } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { NumberPool } from "../builtin/strategies/service/number-pool.ts";
import type { NodePorts, PortRange } from "../builtin/strategies/service/service-records.ts";

/** Not an object that clients see; below the prefix of objects all the same. */
export const portRecordKey = "/registry/ranges/servicenodeports";

/** kube-apiserver's default of `--service-node-port-range`. */
export const defaultPortRange: PortRange = { from: 30_000, to: 32_767 };

/** Returns the ports of a range, of which none is taken. */
export function noPorts(range: PortRange, random: Random): NodePorts {
  const size = range.to - range.from + 1;
  // One thirty-second, at least 16 and at most 128.
  const keptForRequests = size <= 16 ? 0 : Math.min(128, Math.max(16, Math.floor(size / 32)));
  return { range, taken: new NumberPool(size, { random, keptForRequests }) };
}

/** Reads a record. Throws for one that cannot be read. */
export function readPortRecord(text: string, random: Random): NodePorts {
  const record = decodeJson(text);
  const { range, data } = isJsonObject(record) ? record : {};
  const [, from = "", to = ""] = /^(\d{1,5})-(\d{1,5})$/.exec(typeof range === "string" ? range : "") ?? [];
  if (from === "" || Number(from) > Number(to) || Number(to) > 65_535)
    throw new Error(`the record of node ports ${portRecordKey} has no range such as 30000-32767`);
  const ports = noPorts({ from: Number(from), to: Number(to) }, random);
  const bytes = atob(typeof data === "string" ? data : "");
  for (let index = 0; index < bytes.length; index++)
    for (let bit = 0, byte = bytes.charCodeAt(bytes.length - 1 - index); byte >> bit !== 0; bit++)
      if (((byte >> bit) & 1) === 1) ports.taken.take(index * 8 + bit);
  return ports;
}

/** Returns the text of a record. Equal records have equal texts. */
export function portRecordText({ range, taken }: NodePorts): string {
  const bytes: number[] = [];
  for (const port of portsOf({ range, taken })) {
    const offset = port - range.from;
    const at = Math.floor(offset / 8);
    while (bytes.length <= at) bytes.push(0);
    bytes[at] = (bytes[at] ?? 0) | (1 << (offset % 8));
  }
  const data = btoa(String.fromCharCode(...bytes.toReversed()));
  return encodeJson({ metadata: {}, range: `${range.from}-${range.to}`, data });
}

/** The ports that are taken, in order. */
export function portsOf({ range, taken }: NodePorts): readonly number[] {
  const ports: number[] = [];
  for (let port = range.from; port <= range.to; port++) if (taken.has(port - range.from)) ports.push(port);
  return ports;
}
