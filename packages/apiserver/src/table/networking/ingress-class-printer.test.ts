import { IngressClass } from "@drover/api/networking/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("IngressClass table", () => {
  it("marks the default class", () => {
    const annotation = (value: string): object =>
      printed(IngressClass, { metadata: { annotations: { "ingressclass.kubernetes.io/is-default-class": value } }, spec: {} });
    expect(annotation("true")).toMatchObject({ Name: "web (default)" });
    expect(annotation("yes")).toMatchObject({ Name: "web" });
  });

  it("prints the reference to parameters", () => {
    expect(printed(IngressClass, { spec: { controller: "example.com/c", parameters: { kind: "K", name: "n", apiGroup: "g" } } })).toEqual({
      Name: "web",
      Controller: "example.com/c",
      Parameters: "K.g/n",
      Age: "5m",
    });
    expect(printed(IngressClass, { spec: { parameters: { kind: "K", name: "n" } } })).toMatchObject({ Parameters: "K/n" });
    expect(printed(IngressClass, { spec: {} })).toMatchObject({ Parameters: "<none>" });
  });
});
