import { ReplicaSet } from "@drover/api/apps/v1";
import { newControllerRef, newForbidden, newNotFound } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { replicaSet } from "../testing/workload-objects.ts";
import { createPod, deletePod, podFromTemplate } from "./pod-control.ts";

const owner = replicaSet({ name: "web" });
const reference = newControllerRef(owner, ReplicaSet);
const pods = { group: "", resource: "pods" };
const template = {
  metadata: { labels: { app: "web" }, annotations: { note: "a" }, finalizers: ["example.com/f"] },
  spec: { containers: [{ name: "web" }] },
};
const terminating: Status = {
  ...newForbidden(pods, "", "it is being terminated"),
  details: { causes: [{ reason: "NamespaceTerminating" }] },
};

function stage(
  refusal?: Status,
  isOver = false,
): {
  readonly server: ReturnType<typeof echoServer>;
  readonly events: ReturnType<typeof recordingEvents>;
  readonly control: Parameters<typeof deletePod>[2];
} {
  const [server, events, stop] = [echoServer(() => refusal), recordingEvents(), new AbortController()];
  if (isOver) stop.abort();
  return { server, events, control: { client: server.client, events, signal: stop.signal } };
}

describe("createPod and deletePod", () => {
  it("C003: create a pod with the template, a name prefix of the owner, and its owner reference", async () => {
    const { server, events, control } = stage();
    await createPod(template, owner, reference, control);
    expect(server.asked).toEqual([
      {
        what: "POST pods",
        body: expect.objectContaining({
          metadata: {
            generateName: "web-",
            labels: { app: "web" },
            annotations: { note: "a" },
            finalizers: ["example.com/f"],
            ownerReferences: [reference],
          },
          spec: template.spec,
        }) as unknown,
      },
    ]);
    expect(events.told).toEqual(["Normal SuccessfulCreate Created pod: web-1"]);
  });

  it("use the given name prefix", async () => {
    const { server, control } = stage();
    await createPod(template, owner, reference, control, { generateName: "web-7-" });
    expect(server.asked[0]?.body.metadata.generateName).toBe("web-7-");
  });

  it("record a failed create on the owner, except in a terminating namespace or after the run ended", async () => {
    for (const [refusal, isOver, told] of [
      [newForbidden(pods, "", "exceeded quota"), false, ["Warning FailedCreate Error creating: pods is forbidden: exceeded quota"]],
      [terminating, false, []],
      [newForbidden(pods, "", "exceeded quota"), true, []],
    ] as const) {
      const { events, control } = stage(refusal, isOver);
      await expect(createPod(template, owner, reference, control)).rejects.toThrow("forbidden");
      expect(events.told).toEqual(told);
    }
  });

  it("C004: delete with one request and record an event", async () => {
    const { server, events, control } = stage();
    await deletePod("web-1", owner, control);
    expect([server.requests(), events.told]).toEqual([["DELETE pods/web-1"], ["Normal SuccessfulDelete Deleted pod: web-1"]]);
  });

  it("C004: reject for a pod that is gone without an event; record any other error", async () => {
    const gone = stage(newNotFound(pods, "web-1"));
    await expect(deletePod("web-1", owner, gone.control)).rejects.toThrow("not found");
    const refused = stage(newForbidden(pods, "web-1", "no"));
    await expect(deletePod("web-1", owner, refused.control)).rejects.toThrow("forbidden");
    expect([gone.events.told, refused.events.told]).toEqual([[], ['Warning FailedDelete Error deleting: pods "web-1" is forbidden: no']]);
  });

  it("require labels and a controller reference", () => {
    expect(() => podFromTemplate({ spec: template.spec }, owner, reference)).toThrow("unable to create pods, no labels");
    expect(() => podFromTemplate(template, owner, { ...reference, apiVersion: "" })).toThrow("controllerRef has empty APIVersion");
    expect(() => podFromTemplate(template, owner, { ...reference, kind: "" })).toThrow("controllerRef has empty Kind");
    expect(() => podFromTemplate(template, owner, { ...reference, controller: false })).toThrow(
      "controllerRef.Controller is not set to true",
    );
    expect(() => podFromTemplate(template, owner, { ...reference, blockOwnerDeletion: false })).toThrow(
      "controllerRef.BlockOwnerDeletion is not set",
    );
  });

  it("append a dash to the owner's name where that is valid, and share nothing with the template", () => {
    expect(
      ["w".repeat(253), "Web"].map((name) => podFromTemplate(template, replicaSet({ name }), reference).metadata.generateName),
    ).toEqual([`${"w".repeat(253)}-`, "Web"]);
    expect(podFromTemplate(template, owner, reference).spec).not.toBe(template.spec);
  });
});
