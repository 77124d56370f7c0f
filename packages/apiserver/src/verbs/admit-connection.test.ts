import { parseQuery } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { connectOptions } from "./admit-connection.ts";

describe("connectOptions", () => {
  it.each([
    [
      "exec",
      "command=ls&command=-l&stdin=true&stdout=1&tty=false&container=c",
      { kind: "PodExecOptions", stdin: true, stdout: true, container: "c", command: ["ls", "-l"] },
    ],
    ["attach", "tty=true", { kind: "PodAttachOptions", tty: true }],
    ["portforward", "ports=80&ports=81", { kind: "PodPortForwardOptions", ports: [80, 81] }],
    ["portforward", "", { kind: "PodPortForwardOptions" }],
  ])("reads the options of %s from the query %s", (subresource, query, wanted) => {
    expect(connectOptions("Pod", subresource, parseQuery(query), "")).toEqual({ apiVersion: "v1", ...wanted });
  });

  it("takes the path of a proxy", () => {
    expect(connectOptions("Service", "proxy", parseQuery(""), "a/b")).toEqual({
      kind: "ServiceProxyOptions",
      apiVersion: "v1",
      path: "/a/b",
    });
  });
});
