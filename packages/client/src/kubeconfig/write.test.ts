import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { parseKubeconfig } from "./kubeconfig-text.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { memoryHost } from "../testing/memory-host.ts";
import type { MemoryHost } from "../testing/memory-host.ts";
import { deleteCluster, deleteContext, deleteUser, renameContext, setCluster, setContext, setCredentials, useContext } from "./write.ts";

const first =
  "current-context: one\ncontexts: [{ name: one, context: { cluster: c, user: u, extensions: [{ name: e, extension: 1 }] }, note: kept }]\n";
const second =
  "contexts: [{ name: two, context: { cluster: c } }]\nclusters: [{ name: c, cluster: { server: 'https://c', certificate-authority: rel/ca, invented: x } }]\nusers: [{ name: u, user: { token: t } }]\n";
const machine = (): MemoryHost => memoryHost({ "/1": first, "/2": second }, { env: { KUBECONFIG: "/0:/1:/2" } });
const read = (host: MemoryHost, file: string): Kubeconfig => parseKubeconfig(host.files.get(file) as string);
const written = (host: MemoryHost): string[] => host.trace.filter((line) => line.startsWith("write"));

describe("a change that could not be read again", () => {
  it.each<[string, Parameters<typeof setCluster>[2], string]>([
    [
      "a password in the server's URL",
      { server: "https://me:canary@h" },
      '/k, with the change: clusters[0] ("c").cluster.server: contains a user name; remove it, and set username and password of the user',
    ],
    [
      "data that is not base64",
      { "certificate-authority-data": "?" },
      '/k, with the change: clusters[0] ("c").cluster.certificate-authority-data: is not base64; encode the file with `base64 -w0`, or name it in the field without -data',
    ],
  ])("is not written: %s", async (_, changes, problem) => {
    const host = memoryHost({ "/k": "" });
    await expect(setCluster({ host, path: "/k" }, "c", changes)).rejects.toThrow(problem);
    expect(host.files.get("/k")).toBe("");
  });
});

describe("changing the kubeconfig", () => {
  it("changes only the given fields of an entry, in its file", async () => {
    const host = machine();
    await setCluster({ host }, "c", { server: "https://new" });
    expect(written(host)).toEqual(["write /2"]);
    const [entry] = read(host, "/2").clusters;
    expect([entry?.cluster.server, entry?.cluster["certificate-authority"], entry?.cluster.other?.reveal()]).toEqual([
      "https://new",
      "rel/ca",
      { invented: "x" },
    ]);
  });

  it("adds a new entry to the first file that exists", async () => {
    const host = machine();
    await setContext({ host }, "three", { cluster: "c", user: "u" });
    expect(written(host)).toEqual(["write /1"]);
    expect(read(host, "/1").contexts.map(({ name }) => name)).toEqual(["one", "three"]);
    const [entry] = read(host, "/1").contexts;
    expect([entry?.context.extensions?.map(({ name, extension }) => [name, extension?.reveal()]), entry?.other?.reveal()]).toEqual([
      [["e", 1]],
      { note: "kept" },
    ]);
  });

  it("creates the first file if none exists, or the given file", async () => {
    const host = memoryHost({}, { env: { KUBECONFIG: "/0:/9" } });
    await setCredentials({ host }, "u", { token: new Secret("t") });
    await setCredentials({ host, path: "/named" }, "u", { token: new Secret("t") });
    expect(written(host)).toEqual(["write /0", "write /named"]);
    expect(read(host, "/0").users[0]?.user.token?.reveal()).toBe("t");
  });

  it("holds the locks of all files while it reads and writes", async () => {
    const host = machine();
    await useContext({ host }, "two");
    expect(host.trace.slice(0, 3)).toEqual(["lock /0", "lock /1", "lock /2"]);
    expect(host.trace.slice(-3)).toEqual(["unlock /2", "unlock /1", "unlock /0"]);
  });

  it("removes a field that is undefined", async () => {
    const host = machine();
    await setContext({ host }, "one", { user: undefined, namespace: "n" });
    expect(read(host, "/1").contexts[0]?.context).toMatchObject({ cluster: "c", namespace: "n" });
    expect(read(host, "/1").contexts[0]?.context).not.toHaveProperty("user");
  });

  it("replaces a password by a token and vice versa, and a file by data", async () => {
    const host = machine();
    const fields = async (changes: Parameters<typeof setCredentials>[2]): Promise<string[]> => {
      await setCredentials({ host }, "u", changes);
      return Object.keys(read(host, "/2").users[0]?.user ?? {}).toSorted();
    };
    expect(await fields({ username: "u", password: new Secret("p") })).toEqual(["password", "username"]);
    expect(await fields({ token: new Secret("t"), "client-key": "/k" })).toEqual(["client-key", "token"]);
    expect(await fields({ "client-key-data": new Secret("YQ==") })).toEqual(["client-key-data", "token"]);
    expect(await fields({ token: new Secret("t"), tokenFile: "/t" })).toEqual(["client-key-data", "token", "tokenFile"]);
  });

  it("replaces authorities by insecure and vice versa", async () => {
    const host = machine();
    await setCluster({ host }, "c", { "insecure-skip-tls-verify": true });
    expect(read(host, "/2").clusters[0]?.cluster).not.toHaveProperty("certificate-authority");
    await setCluster({ host }, "c", { "certificate-authority-data": "YQ==" });
    expect(read(host, "/2").clusters[0]?.cluster).not.toHaveProperty("insecure-skip-tls-verify");
  });

  it("sets the current context in the first file that exists, wherever the context is", async () => {
    const host = machine();
    await useContext({ host }, "two");
    expect([written(host), read(host, "/1")["current-context"]]).toEqual([["write /1"], "two"]);
    await expect(useContext({ host }, "nope")).rejects.toMatchObject({
      reason: "context-not-found",
      message: 'there is no context "nope" in the kubeconfig [DRV0302]',
    });
  });

  it("renames a context in its file, and the current context with it", async () => {
    const host = machine();
    await renameContext({ host }, "two", "zwei");
    expect([written(host), read(host, "/2").contexts.map(({ name }) => name)]).toEqual([["write /2"], ["zwei"]]);
    await renameContext({ host }, "one", "eins");
    expect([read(host, "/1")["current-context"], read(host, "/1").contexts[0]?.name]).toEqual(["eins", "eins"]);
    const later = memoryHost({ "/1": "contexts: [{ name: a }]", "/2": "current-context: a" }, { env: { KUBECONFIG: "/1:/2" } });
    await renameContext({ host: later }, "a", "b");
    expect([read(later, "/1")["current-context"], read(later, "/2")["current-context"]]).toEqual(["b", "a"]);
    await expect(renameContext({ host }, "eins", "zwei")).rejects.toThrow('there already is a context "zwei"');
    await expect(renameContext({ host }, "nope", "x")).rejects.toThrow('there is no context "nope"');
  });

  it("removes entries from their files, and reports whether the current context is gone", async () => {
    const host = machine();
    expect([await deleteContext({ host }, "two"), await deleteContext({ host }, "one")]).toEqual([false, true]);
    await deleteCluster({ host }, "c");
    await deleteUser({ host }, "u");
    expect([read(host, "/1").contexts, read(host, "/2").clusters, read(host, "/2").users, read(host, "/2").contexts]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    await expect(deleteUser({ host }, "u")).rejects.toThrow('there is no user "u" in the kubeconfig');
  });

  it("rejects an entry without a name, and a host without a location for the file", async () => {
    await expect(setContext({ host: machine() }, "", {})).rejects.toThrow("needs a name");
    await expect(setContext({ host: memoryHost({}, { homeDir: undefined }) }, "a", {})).rejects.toThrow(
      "there is no kubeconfig to write to",
    );
  });
});
