import { accessFromKubeconfig, parseKubeconfig, printKubeconfig } from "@drover/client";
import { nodeHost, nodeRuntime } from "drover";
import { expect, it } from "vitest";
import { localKubeconfig, writerOf } from "./local-kubeconfig.ts";

const server = { url: "https://127.0.0.1:40123", authorityPem: "CA\n", admin: { certificatePem: "CERTIFICATE\n", privateKeyPem: "KEY\n" } };
const text = localKubeconfig(server, 4711);

it("localKubeconfig connects to the server as administrator", async () => {
  const access = await accessFromKubeconfig(parseKubeconfig(text), { host: nodeHost(), log: nodeRuntime().log });
  expect([access.server, access.namespace]).toEqual([server.url, "default"]);
  expect(text).toContain(`certificate-authority-data: ${Buffer.from("CA\n").toString("base64")}`);
  expect(text).toContain(`client-key-data: ${Buffer.from("KEY\n").toString("base64")}`);
});

it("writerOf recognises the file, also after kubectl has rewritten it", () => {
  expect(writerOf(text)).toEqual({ pid: 4711, url: server.url, authorityPem: server.authorityPem });
  const config = parseKubeconfig(text);
  expect(
    writerOf(
      printKubeconfig({
        ...config,
        contexts: config.contexts.map((entry) => ({ ...entry, context: { ...entry.context, namespace: "shop" } })),
      }),
    )?.pid,
  ).toBe(4711);
});

it("writerOf returns undefined for files of other programs", () => {
  for (const other of [
    "",
    "{",
    "a: b",
    "[]",
    "null",
    printKubeconfig(parseKubeconfig("{}")),
    text.replace(/(extension:.*?name: )drover/s, "$1other"),
    text.replaceAll("4711", "many"),
  ]) {
    expect([other, writerOf(other)]).toEqual([other, undefined]);
  }
});
