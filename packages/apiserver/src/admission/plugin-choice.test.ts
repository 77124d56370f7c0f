import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import { chosenPlugins } from "./plugin-choice.ts";

describe("the choice of admission plug-ins", () => {
  it("leaves out what is disabled, and keeps the order", () => {
    const all = chosenPlugins({});
    expect(all[0]).toBe("NamespaceLifecycle");
    expect(chosenPlugins({ disable: ["Priority"] })).toEqual(all.filter((name) => name !== "Priority"));
    expect(chosenPlugins({ enable: ["Priority"] })).toEqual(all);
  });

  it("refuses unknown names and names on both lists", () => {
    expect(() => chosenPlugins({ enable: ["Nope"] })).toThrow(
      'admissionPlugins.enable: unknown plug-in "Nope"; known are NamespaceLifecycle',
    );
    expect(() => chosenPlugins({ disable: ["constructor"] })).toThrow('admissionPlugins.disable: unknown plug-in "constructor"');
    expect(() => chosenPlugins({ enable: ["Priority"], disable: ["Priority"] })).toThrow("Priority is in both enable and disable");
  });

  it("decides what a server does", async () => {
    const { call, close } = await testServer({ admissionPlugins: { disable: ["NamespaceLifecycle"] } });
    expect((await call("POST", "/api/v1/namespaces/nowhere/configmaps", { metadata: { name: "c" } })).status).toBe(201);
    close();
  });
});
