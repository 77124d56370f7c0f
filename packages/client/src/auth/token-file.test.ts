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
  it("sends what stands in the file, without the line break, and reads it once for many calls", async () => {
    const { host, header } = setUp("first\n");
    expect(await Promise.all([header(), header(), header()])).toEqual(["Bearer first", "Bearer first", "Bearer first"]);
    expect(await header()).toBe("Bearer first");
    expect(host.reads).toEqual([path]);
  });

  it("reads the file again when the token is a minute old, less ten seconds", async () => {
    const { clock, host, header } = setUp("first");
    await header();
    host.files.set(path, "second");
    await clock.advance(49_999);
    expect(await header()).toBe("Bearer first");
    await clock.advance(1);
    expect(await header()).toBe("Bearer second");
    expect(host.reads).toHaveLength(2);
  });

  it("reads it as often as told", async () => {
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

  it("says which file is missing when there never was a token", async () => {
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

  it("says so when the file is empty, or holds what cannot stand in a header", async () => {
    await expect(setUp(" \n").header()).rejects.toThrow(`the token file ${path} is empty`);
    await expect(setUp("two words").header()).rejects.toThrow("cannot stand in a header");
  });

  it("uses the given token as long as the file could never be read, and the file's from then on", async () => {
    const { clock, host, header } = setUp(undefined, { fallback: new Secret("given") });
    expect(await header()).toBe("Bearer given");
    host.files.set(path, "from-file");
    await clock.advance(1000);
    expect(await header()).toBe("Bearer from-file");
    host.files.delete(path);
    await clock.advance(50_000);
    expect(await header()).toBe("Bearer from-file");
  });

  it("reads at once after a refusal, and says whether there is another token", async () => {
    const { clock, host, source, header } = setUp("first");
    await header();
    expect(await source.refused(new Secret("Bearer first"))).toBe(false);
    await clock.advance(1000);
    host.files.set(path, "second");
    expect(await source.refused(new Secret("Bearer first"))).toBe(true);
    expect(await header()).toBe("Bearer second");
  });

  it("looks again every second, however often it was refused in vain: the new token may come at any moment", async () => {
    const { clock, host, source, header } = setUp("first");
    await header();
    for (let second = 0; second < 20; second++) {
      expect(await source.refused(new Secret("Bearer first"))).toBe(false);
      await clock.advance(1000);
    }
    host.files.set(path, "second");
    expect(await source.refused(new Secret("Bearer first"))).toBe(true);
  });

  it("does not forget a token that is newer than the refused request", async () => {
    const { clock, host, source, header } = setUp("first");
    await header();
    host.files.set(path, "second");
    await clock.advance(50_000);
    await header();
    const reads = host.reads.length;
    expect(await source.refused(new Secret("Bearer first"))).toBe(true);
    expect(host.reads).toHaveLength(reads);
  });

  it("turns to the file when the given token is refused", async () => {
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
