/** The addresses that a request came through, for audit events. */
import { parseIpAddress, printIpAddress } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";
import { firstHeader } from "../plain-request.ts";

/**
 * Returns the addresses of `X-Forwarded-For`, that of `X-Real-Ip` unless it is among them, and that of the connection unless it is the
 * last one. Clients can invent all but the last.
 */
export function sourceIps(headers: HttpHeaders, remoteAddress: string): readonly string[] {
  const forwarded = firstHeader(headers, "x-forwarded-for")
    .split(",")
    .flatMap((part) => canonical(part.trim()));
  const [real] = canonical(firstHeader(headers, "x-real-ip"));
  const all = real === undefined || forwarded.includes(real) ? forwarded : [...forwarded, real];
  const [remote] = canonical(remoteAddress);
  return remote === undefined || all.at(-1) === remote ? all : [...all, remote];
}

function canonical(text: string): readonly string[] {
  const address = parseIpAddress(text);
  return address === undefined ? [] : [printIpAddress(address)];
}
