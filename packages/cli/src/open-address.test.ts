import { expect, it } from "vitest";
import { addressWarning, isLoopback } from "./open-address.ts";

it("isLoopback accepts only addresses of this machine (X18)", () => {
  for (const host of ["127.0.0.1", "127.8.8.8", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])
    expect([host, isLoopback(host)]).toEqual([host, true]);
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "10.0.0.1", "fe80::1", "::ffff:10.0.0.1", "128.0.0.1"])
    expect([host, isLoopback(host)]).toEqual([host, false]);
});

it("addressWarning names what is open, and is silent for this machine (SEC21)", () => {
  expect(addressWarning({ host: "127.0.0.1", anonymous: true }, "/k")).toBeUndefined();
  expect(addressWarning({ host: "0.0.0.0", anonymous: false }, "/k")).toBe(
    "warning: --host 0.0.0.0 listens on every address of this machine; everyone with a copy of /k is an administrator",
  );
  expect(addressWarning({ host: "192.168.1.2", anonymous: true }, "/k")).toBe(
    "WARNING: other machines reach 192.168.1.2, and with --anonymous everyone who reaches it may read and change everything, without credentials",
  );
});
