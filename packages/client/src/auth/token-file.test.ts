import { Secret } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { memoryHost } from "../testing/memory-host.ts";
import type { MemoryFile } from "../testing/memory-host.ts";
import { tokenFileSource } from "./token-file.ts";
import type { TokenFileSourceOptions } from "./token-file.ts";

const path = "/var/run/token";

function setUp(content: MemoryFile | undefined, options: Partial<TokenFileSourceOptions> = {}) {
  const { clock, log } = testRuntime();
  const host = memoryHost(content === undefined ? {} : { [path]: content });
  const source = tokenFileSource(path, { host, clock, log, ...options });
  return { clock, log, host, source, header: async () => (await source.header({}))?.reveal() };
}

describe("tokenFileSource", () => {
  it("sends the content of the file without the line break, and reads it once for many calls", async () => {
    const { host, header } = setUp("first\n");
    expect(await Promise.all([header(), header(), header()])).toEqual(["Bearer first", "Bearer first", "Bearer first"]);
    expect(await header()).toBe("Bearer first");
    expect(host.reads).toEqual([path]);
  });

  it("rereads the file when the token is 50 seconds old", async () => {
    const { clock, host, header } = setUp("first");
    await header();
    host.files.set(path, "second");
    await clock.advance(49_999);
    expect(await header()).toBe("Bearer first");
    await clock.advance(1);
    expect(await header()).toBe("Bearer second");
    expect(host.reads).toHaveLength(2);
  });

  it("knows the header without waiting while the token need not be reread", async () => {
    const { clock, source, header } = setUp("first", { rereadMs: 100 });
    expect(source.fresh?.()).toBeUndefined();
    await header();
    await clock.advance(99);
    expect(source.fresh?.()?.header?.reveal()).toBe("Bearer first");
    await clock.advance(1);
    expect(source.fresh?.()).toBeUndefined();
  });

  it("rereads it every rereadMs", async () => {
    const { clock, host, header } = setUp("first", { rereadMs: 100 });
    await header();
    host.files.set(path, "second");
    await clock.advance(100);
    expect(await header()).toBe("Bearer second");
  });

  it.each([
    ["missing", { fails: "missing" } as const],
    ["empty", ""],
    ["only a line break", "\n"],
  ])("keeps the old token when the file is %s, and tries again after a second", async (_name, content) => {
    const { clock, host, header } = setUp("first");
    await header();
    host.files.set(path, content);
    await clock.advance(50_000);
    expect(await header()).toBe("Bearer first");
    expect(await header()).toBe("Bearer first");
    expect(host.reads).toHaveLength(2);
    host.files.set(path, "second");
    await clock.advance(1000);
    expect(await header()).toBe("Bearer second");
  });

  it("names the missing file if there never was a token", async () => {
    const { header, clock, host } = setUp(undefined);
    await expect(header()).rejects.toMatchObject({
      name: "CredentialError",
      reason: "unavailable",
      message: `the token file ${path} could not be read: it does not exist`,
    });
    host.files.set(path, "late");
    await clock.advance(1000);
    expect(await header()).toBe("Bearer late");
  });

  it("rejects an empty file, or content that a header cannot contain", async () => {
    await expect(setUp(" \n").header()).rejects.toThrow(`the token file ${path} is empty`);
    await expect(setUp("two words").header()).rejects.toThrow("a header cannot contain");
  });

  it("uses the fallback until the file has been read once, then the file", async () => {
    const { clock, host, header } = setUp(undefined, { fallback: new Secret("given") });
    expect(await header()).toBe("Bearer given");
    host.files.set(path, "from-file");
    await clock.advance(1000);
    expect(await header()).toBe("Bearer from-file");
    host.files.delete(path);
    await clock.advance(50_000);
    expect(await header()).toBe("Bearer from-file");
  });

  it("rereads at once after a rejection, and reports whether there is another token", async () => {
    const { clock, host, source, header } = setUp("first");
    await header();
    expect(await source.refused(new Secret("Bearer first"))).toBe(false);
    await clock.advance(1000);
    host.files.set(path, "second");
    expect(await source.refused(new Secret("Bearer first"))).toBe(true);
    expect(await header()).toBe("Bearer second");
  });

  it("rereads every second while the token is rejected, because the new one may arrive at any time", async () => {
    const { clock, host, source, header } = setUp("first");
    await header();
    for (let second = 0; second < 20; second++) {
      expect(await source.refused(new Secret("Bearer first"))).toBe(false);
      await clock.advance(1000);
    }
    host.files.set(path, "second");
    expect(await source.refused(new Secret("Bearer first"))).toBe(true);
  });

  it("keeps a token that is newer than the rejected request", async () => {
    const { clock, host, source, header } = setUp("first");
    await header();
    host.files.set(path, "second");
    await clock.advance(50_000);
    await header();
    const reads = host.reads.length;
    expect(await source.refused(new Secret("Bearer first"))).toBe(true);
    expect(host.reads).toHaveLength(reads);
  });

  it("reads the file when the fallback is rejected", async () => {
    const { clock, host, source, header } = setUp(undefined, { fallback: new Secret("given") });
    await header();
    expect(await source.refused(new Secret("Bearer given"))).toBe(false);
    host.files.set(path, "from-file");
    await clock.advance(1000);
    expect(await source.refused(new Secret("Bearer given"))).toBe(true);
  });

  it("passes an abort through", async () => {
    const { source } = setUp("first");
    const reason = new Error("enough");
    await expect(source.header({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(source.refused(undefined, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
