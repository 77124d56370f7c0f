/** Warns of addresses that other machines reach. */
import { BlockList, isIPv6 } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Reports whether only programs on this machine reach the address. An IPv4 address may be written as IPv6. */
export function isLoopback(host: string): boolean {
  return loopback.check(host, isIPv6(host) ? "ipv6" : "ipv4");
}

/** Where a server listens, and whether it asks for credentials. */
export interface OpenAddress {
  readonly host: string;
  readonly anonymous: boolean;
}

/** Returns the warning for an address that other machines reach; undefined for others. */
export function addressWarning({ host, anonymous }: OpenAddress, kubeconfig: string): string | undefined {
  if (isLoopback(host)) return undefined;
  const where =
    host === "0.0.0.0" || host === "::" ? `--host ${host} listens on every address of this machine` : `other machines reach ${host}`;
  return anonymous
    ? `WARNING: ${where}, and with --anonymous everyone who reaches it may read and change everything, without credentials`
    : `warning: ${where}; everyone with a copy of ${kubeconfig} is an administrator`;
}
