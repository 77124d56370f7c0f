import { definedOnly, Secret } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { watchedCertificates, watchedPair } from "./pem-file.ts";
import { memoryHost } from "../testing/memory-host.ts";

const certificate = (name: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from([0x30, name.length, ...Buffer.from(name)]).toString("base64")}\n-----END CERTIFICATE-----\n`;
const ca = "/etc/ca.crt";

describe("watchedCertificates", () => {
  const setUp = (content: string | undefined, rereadMs?: number) => {
    const { clock, log } = testRuntime();
    const host = memoryHost(content === undefined ? {} : { [ca]: content });
    return {
      clock,
      log,
      host,
      read: watchedCertificates({ kind: "file", path: ca }, { host, clock, log, ...definedOnly({ rereadMs }) }),
    };
  };

  it("reads the file at most every ten seconds, or every rereadMs", async () => {
    for (const [option, everyMs] of [
      [undefined, 10_000],
      [500, 500],
    ] as const) {
      const { clock, host, read } = setUp(certificate("one"), option);
      expect(await read()).toMatchObject({ generation: 1, value: certificate("one") });
      host.files.set(ca, certificate("two"));
      await clock.advance(everyMs - 1);
      expect((await read()).generation).toBe(1);
      await clock.advance(1);
      expect(await read()).toMatchObject({ generation: 2, value: certificate("two") });
      expect(host.reads).toHaveLength(2);
    }
  });

  it("keeps the generation if the file is unchanged", async () => {
    const { clock, read } = setUp(certificate("one"));
    await read();
    await clock.advance(10_000);
    expect((await read()).generation).toBe(1);
  });

  it.each([
    ["missing", { fails: "missing" } as const],
    ["empty", ""],
    ["garbage", "<html>"],
    ["half written", certificate("two").slice(0, 35)],
  ])("C4: keeps the old authorities when the file is %s", async (_name, content) => {
    const { clock, log, host, read } = setUp(certificate("one"));
    await read();
    host.files.set(ca, content);
    await clock.advance(10_000);
    expect(await read()).toMatchObject({ generation: 1, value: certificate("one") });
    expect(log.entries.map(({ level }) => level)).toEqual(["warn"]);
    for (let look = 0; look < 8; look++) {
      await clock.advance(10_000);
      expect((await read()).generation).toBe(1);
    }
    host.files.set(ca, certificate("three"));
    await clock.advance(10_000);
    expect(await read()).toMatchObject({ generation: 2, value: certificate("three") });
  });

  it("rejects with the problem if the first read fails, and rereads after a second", async () => {
    const { clock, host, read } = setUp(undefined);
    await expect(read()).rejects.toThrow(`the certificate authority in ${ca} could not be read: it does not exist`);
    host.files.set(ca, "");
    await clock.advance(1000);
    await expect(read()).rejects.toThrow(`the certificate authority in ${ca} contains no complete certificate in PEM`);
    host.files.set(ca, certificate("one"));
    await clock.advance(2000);
    expect((await read()).generation).toBe(1);
  });

  it("checks inline PEM once", async () => {
    const { clock, log } = testRuntime();
    const host = memoryHost();
    const read = watchedCertificates({ kind: "inline", pem: certificate("one") }, { host, clock, log });
    const first = await read();
    await clock.advance(1_000_000);
    expect(await read()).toBe(first);
    await expect(watchedCertificates({ kind: "inline", pem: "nonsense" }, { host, clock, log })()).rejects.toThrow(
      "the certificate authority contains no complete certificate",
    );
  });
});

describe("watchedPair", () => {
  const [crt, key] = ["/etc/tls.crt", "/etc/tls.key"];
  const setUp = (files: Record<string, string>) => {
    const { clock, log } = testRuntime();
    const host = memoryHost(files);
    const isPair = (certificatePem: string, keyPem: Secret): boolean =>
      certificatePem.replace("certificate", "") === keyPem.reveal().replace("key", "");
    return {
      clock,
      log,
      host,
      options: { host, clock, log, isPair },
      read: watchedPair({ certificate: { kind: "file", path: crt }, key: { kind: "file", path: key } }, { host, clock, log, isPair }),
    };
  };

  it("C5: keeps the old pair until both files have been replaced", async () => {
    const { clock, host, read } = setUp({ [crt]: "certificate 1", [key]: "key 1" });
    expect(await read()).toMatchObject({ generation: 1, value: { certificate: "certificate 1" } });
    host.files.set(crt, "certificate 2");
    await clock.advance(10_000);
    expect(await read()).toMatchObject({ generation: 1, value: { certificate: "certificate 1" } });
    host.files.set(key, "key 2");
    await clock.advance(10_000);
    const { generation, value } = await read();
    expect([generation, value.certificate, value.key.reveal()]).toEqual([2, "certificate 2", "key 2"]);
  });

  it("names both files if they do not match at the start, and the one that is missing", async () => {
    await expect(setUp({ [crt]: "certificate 1", [key]: "key 2" }).read()).rejects.toThrow(
      `the client certificate in ${crt} with its key in ${key}: one of the two cannot be read, or they do not match`,
    );
    await expect(setUp({ [crt]: "certificate 1" }).read()).rejects.toThrow(`the client key in ${key} could not be read: it does not exist`);
    await expect(setUp({ [crt]: "certificate 1", [key]: "-----BEGIN ENCRYPTED PRIVATE KEY-----" }).read()).rejects.toThrow(
      `the client key in ${key} is encrypted with a passphrase`,
    );
  });

  it("takes one from a file and the other inline", async () => {
    const { clock, host, options } = setUp({ [crt]: "certificate 1" });
    const read = watchedPair({ certificate: { kind: "file", path: crt }, key: { kind: "inline", pem: new Secret("key 1") } }, options);
    expect((await read()).generation).toBe(1);
    await clock.advance(10_000);
    await read();
    expect(host.reads).toEqual([crt, crt]);
    const inline = watchedPair(
      { certificate: { kind: "inline", pem: "certificate 3" }, key: { kind: "inline", pem: new Secret("key 3") } },
      options,
    );
    expect((await inline()).value.certificate).toBe("certificate 3");
  });

  it("reads once for concurrent calls", async () => {
    const { host, read } = setUp({ [crt]: "certificate 1", [key]: "key 1" });
    await Promise.all(Array.from({ length: 10 }, () => read()));
    expect(host.reads).toEqual([crt, key]);
  });
});
