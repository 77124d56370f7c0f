import { hostname } from "node:os";
import { expect, it } from "vitest";
import { serverNames } from "./server-names.ts";

it("serverNames contains the loopback and in-cluster names for a server on loopback", () => {
  const { dnsNames, ips, local } = serverNames("127.0.0.1");
  expect([ips, local]).toEqual([["127.0.0.1", "::1"], "127.0.0.1"]);
  expect(dnsNames).toEqual([
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ]);
});

it("serverNames adds the listen address", () => {
  expect(serverNames("192.0.2.7").ips).toEqual(["127.0.0.1", "::1", "192.0.2.7"]);
  expect(serverNames("fd00::1").local).toBe("[fd00::1]");
});

it("serverNames contains all names of this machine for a server on all addresses, and uses loopback locally", () => {
  expect(serverNames("0.0.0.0").dnsNames).toContain(hostname());
  expect([serverNames("0.0.0.0").local, serverNames("::").local]).toEqual(["127.0.0.1", "[::1]"]);
  expect(serverNames("0.0.0.0").ips).not.toContain("0.0.0.0");
});
