import { definedOnly, Secret } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { CredentialSource } from "../auth/credential-source.ts";
import { memoryHost } from "../testing/memory-host.ts";
import type { Credentials, Trust } from "../kubeconfig/cluster-access.ts";
import { tlsSource } from "./tls-source.ts";

const certificate = (name: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from([0x30, name.length, ...Buffer.from(name)]).toString("base64")}\n-----END CERTIFICATE-----\n`;
const noHeader: CredentialSource = { header: () => Promise.resolve(undefined), refused: () => Promise.resolve(false) };
const pairFiles = { clientCertificate: { certificate: { kind: "file", path: "/crt" }, key: { kind: "file", path: "/key" } } } as const;

function setUp(trust: Trust, credentials: Credentials = {}, source: CredentialSource = noHeader, rereadMs?: number) {
  const { clock, log } = testRuntime();
  const host = memoryHost({ "/ca": certificate("one"), "/crt": "pair 1", "/key": "pair 1" });
  const tls = tlsSource({ trust, credentials }, source, {
    host,
    clock,
    log,
    isPair: (crt, key) => crt === key.reveal(),
    ...definedOnly({ rereadMs }),
  });
  return { clock, host, tls };
}

describe("tlsSource", () => {
  it("returns empty settings without configuration", async () => {
    expect(await setUp({}).tls()).toEqual({ generation: 1, insecure: false });
  });

  it("combines authority, name, certificate and key", async () => {
    const { key, ...settings } = await setUp({ ca: { kind: "inline", pem: certificate("ca") }, serverName: "api" }, pairFiles).tls();
    expect(settings).toEqual({ generation: 1, insecure: false, ca: certificate("ca"), serverName: "api", certificate: "pair 1" });
    expect(key?.reveal()).toBe("pair 1");
  });

  it("disables verification with insecure, and rejects insecure with an authority (X13, S15)", async () => {
    expect(await setUp({ insecure: true }).tls()).toEqual({ generation: 1, insecure: true });
    expect(() => setUp({ insecure: true, ca: { kind: "file", path: "/ca" } })).toThrow("remove one of the two");
  });

  it("T2, T3: increments the generation for a new authority and a new pair, and returns the same object otherwise", async () => {
    const { clock, host, tls } = setUp({ ca: { kind: "file", path: "/ca" } }, pairFiles);
    const first = await tls();
    await clock.advance(10_000);
    expect(await tls()).toBe(first);
    host.files.set("/ca", certificate("two"));
    await clock.advance(10_000);
    expect(await tls()).toMatchObject({ generation: 2, ca: certificate("two"), certificate: "pair 1" });
    host.files.set("/crt", "pair 2");
    await clock.advance(10_000);
    expect((await tls()).generation).toBe(2);
    host.files.set("/key", "pair 2");
    await clock.advance(10_000);
    expect(await tls()).toMatchObject({ generation: 3, certificate: "pair 2" });
  });

  it("knows settings without waiting until a file must be read again, and never those that a plugin issues", async () => {
    const { clock, host, tls } = setUp({ ca: { kind: "file", path: "/ca" } }, pairFiles);
    expect(tls.fresh?.()).toBeUndefined();
    const first = await tls();
    await clock.advance(9_999);
    expect(tls.fresh?.()).toBe(first);
    host.files.set("/ca", certificate("two"));
    await clock.advance(1);
    expect(tls.fresh?.()).toBeUndefined();
    expect(await tls()).toMatchObject({ generation: 2 });
    expect(tls.fresh?.()).toMatchObject({ generation: 2, ca: certificate("two") });
    const issued = setUp({}, {}, { ...noHeader, certificate: () => undefined });
    await issued.tls();
    expect(issued.tls.fresh?.()).toBeUndefined();
  });

  it("T2: rereads the files at once for rejected settings, once for concurrent calls, and not repeatedly", async () => {
    const { clock, host, tls } = setUp({ ca: { kind: "file", path: "/ca" } });
    const first = await tls();
    host.files.set("/ca", certificate("two"));
    const reads = host.reads.length;
    const fresh = await Promise.all(Array.from({ length: 10 }, () => tls({ refused: first })));
    expect(new Set(fresh).size).toBe(1);
    expect(fresh[0]).toMatchObject({ generation: 2, ca: certificate("two") });
    expect(host.reads.length - reads).toBe(1);
    expect(await tls({ refused: first })).toBe(fresh[0]);
    const again = fresh[0] ?? first;
    for (let ask = 0; ask < 5; ask++) expect(await tls({ refused: again })).toBe(again);
    expect(host.reads.length - reads).toBe(2);
    host.files.set("/ca", "<html>");
    await clock.advance(1000);
    expect(await tls({ refused: again })).toBe(again);
  });

  it("rereads files every rereadMs", async () => {
    const { clock, host, tls } = setUp({ ca: { kind: "file", path: "/ca" } }, {}, noHeader, 10);
    await tls();
    host.files.set("/ca", certificate("two"));
    await clock.advance(10);
    expect((await tls()).generation).toBe(2);
  });

  it("uses the certificate of a credential, gets the credential first, and follows its generation", async () => {
    let issued: { generation: number; certificate: string; key: Secret } | undefined;
    let asked = 0;
    const source: CredentialSource = {
      ...noHeader,
      header: async () => {
        asked++;
        issued ??= { generation: 0, certificate: "issued 0", key: new Secret("k") };
        return undefined;
      },
      certificate: () => issued,
    };
    const { tls } = setUp({}, {}, source);
    const first = await tls();
    expect([first.generation, first.certificate, first.key?.reveal(), asked]).toEqual([1, "issued 0", "k", 1]);
    expect(await tls()).toBe(first);
    issued = { generation: 1, certificate: "issued 1", key: new Secret("k") };
    expect(await tls()).toMatchObject({ generation: 2, certificate: "issued 1" });
  });

  it("prefers a configured certificate to that of a credential, and does not request the latter", async () => {
    const source: CredentialSource = { ...noHeader, header: () => Promise.reject(new Error("asked")), certificate: () => undefined };
    expect((await setUp({}, pairFiles, source).tls()).certificate).toBe("pair 1");
  });

  it("rejects with the reason why there are no settings, and recovers", async () => {
    const { clock, host, tls } = setUp({ ca: { kind: "file", path: "/late" } });
    await expect(tls()).rejects.toThrow("the certificate authority in /late could not be read");
    host.files.set("/late", certificate("one"));
    await clock.advance(1000);
    expect((await tls()).generation).toBe(1);
  });
});
