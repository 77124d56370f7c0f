import { expect, it } from "vitest";
import { redactSecretObject } from "./secret-object.ts";

const applied = "kubectl.kubernetes.io/last-applied-configuration";

it("redactSecretObject redacts values and keeps their names, also in the last-applied annotation", () => {
  const metadata = { name: "db", annotations: { [applied]: '{"data":{"user":"dQ=="}}', note: "kept" } };
  expect(
    redactSecretObject({ kind: "Secret", type: "Opaque", data: { user: "dQ==", "tls.crt": "eA==" }, stringData: { a: "plain" }, metadata }),
  ).toEqual({
    kind: "Secret",
    type: "Opaque",
    data: { user: "[redacted]", "tls.crt": "[redacted]" },
    stringData: { a: "[redacted]" },
    metadata: { name: "db", annotations: { [applied]: "[redacted]", note: "kept" } },
  });
});

it("redactSecretObject redacts every item of a SecretList, which have no kind", () => {
  expect(redactSecretObject({ kind: "SecretList", items: [{ metadata: { name: "a" }, data: { x: "eA==" } }, null] })).toEqual({
    kind: "SecretList",
    items: [{ metadata: { name: "a" }, data: { x: "[redacted]" } }, null],
  });
});

it("redactSecretObject leaves other objects and malformed Secrets alone", () => {
  const others = [
    { kind: "ConfigMap", data: { user: "u" } },
    { kind: "Secret", metadata: null, data: null },
    { kind: "SecretList", items: 3 },
    {},
  ];
  for (const other of others) expect(redactSecretObject(other)).toEqual(other);
});
