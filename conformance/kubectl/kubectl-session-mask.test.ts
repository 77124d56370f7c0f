import { expect, it } from "vitest";
import { maskOutput } from "./kubectl-session-mask.ts";

const mask = (output: string, line = "kubectl get pods"): string => maskOutput(line, output, "/tmp/drover-x");

it("maskOutput removes ages and the width they give to columns", () => {
  const table = (age: string): string => `NAME   AGE    NODE\na      ${age.padEnd(6)} <none>\n`;
  expect(mask(table("3s"))).toBe(mask(table("2m10s")));
  expect(mask(table("3s"))).not.toBe(mask(table("old")));
});

it("maskOutput removes uids, times, versions, addresses and paths, and nothing else", () => {
  expect(
    mask('uid: 0f7e0ad2-3d54-4bd9-a7d3-0c1e8f1b2a3c\nresourceVersion: "12"\ncreationTimestamp: "2026-11-15T21:00:00Z"\nreplicas: 3'),
  ).toBe('uid: <uid>\nresourceVersion: "<version>"\ncreationTimestamp: "<time>"\nreplicas: 3');
  expect(
    mask(
      "IP: 10.0.0.17\nCreationTimestamp: Sun, 15 Nov 2026 21:00:00 +0000\nat https://127.0.0.1:40123 in /tmp/drover-x/LIVE-123/a\t2026-11-15 21:00:00.123 +0000",
    ),
  ).toBe("IP: <address>\nCreationTimestamp: <time>\nat https://<host> in <home>/LIVE-<number>/a\t<time>");
  expect(mask("Server Version: v1.36.3+drover")).toBe("Server Version: v1.36.3");
  expect(mask("Server Version: v1.35.0")).toBe("Server Version: v1.35.0");
});

it("maskOutput keeps headings, fields, types and values of an explanation", () => {
  const explained = (prose: string): string =>
    `KIND:       Pod\nVERSION:    v1\n\nDESCRIPTION:\n    ${prose}\n\nFIELDS:\n  spec\t<PodSpec>\n    ${prose}\n`;
  expect(mask(explained("One."), "kubectl explain pods")).toBe(mask(explained("Another one.\n    It is longer."), "kubectl explain pods"));
  expect(mask(explained("One."), "kubectl explain pods")).toBe("KIND:       Pod\nVERSION:    v1\nDESCRIPTION:\nFIELDS:\n  spec\t<PodSpec>");
  expect(
    mask("FIELD: type <string>\nENUM:\n    ClusterIP\n    NodePort\n\nDESCRIPTION:\n    One.\n", "kubectl explain service.spec.type"),
  ).toBe("FIELD: type <string>\nENUM:\n    ClusterIP\n    NodePort\nDESCRIPTION:");
});

it("maskOutput keeps the descriptions of a custom kind's own fields", () => {
  expect(mask("FIELDS:\n  size\t<integer>\n    The number of parts.\n", "kubectl explain gadgets.spec")).toContain("The number of parts.");
});

it("maskOutput keeps the message of a fatal error of kubectl 1.20 and drops its stacks", () => {
  const fatal = (time: string, address: string): string =>
    `F1118 ${time}   10013 reconcile.go:340] not supported yet\ngoroutine 1 [running]:\nmain(${address})\n\t/main.go:3 +0x1\n`;
  expect(mask(fatal("04:58:00.934495", "0xc1"))).toBe("F reconcile.go:340] not supported yet\n");
  expect(mask(fatal("04:58:00.934495", "0xc1"))).toBe(mask(fatal("04:58:01.1", "0xc2")));
});

it("maskOutput sorts entries of managedFields, whose order depends on the second of each write", () => {
  const entry = (manager: string): string => `  - apiVersion: v1\n    fieldsV1:\n      f:data:\n        .: {}\n    manager: ${manager}\n`;
  const object = (...managers: readonly string[]): string =>
    `kind: ConfigMap\nmetadata:\n  managedFields:\n${managers.map(entry).join("")}  name: a\n`;
  expect(mask(object("kubectl", "kube-apiserver"))).toBe(object("kube-apiserver", "kubectl"));
  expect(mask(object("kube-apiserver", "kubectl"))).toBe(object("kube-apiserver", "kubectl"));
  expect(mask(object("kubectl"))).not.toBe(mask(object("kube-apiserver", "kubectl")));
});
