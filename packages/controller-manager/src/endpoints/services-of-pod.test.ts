import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { definedOnly, objectKeyOf } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { servicesConcerned, servicesSelecting } from "./services-of-pod.ts";
import { podOf, serviceOf } from "./testing/endpoint-objects.ts";

const named = (name: string, selector?: Record<string, string>): ReturnType<typeof serviceOf> => {
  const { spec: { selector: _, ...spec } = {}, ...service } = serviceOf({}, { name });
  return { ...service, spec: { ...spec, ...definedOnly({ selector }) } };
};
const services = [named("web", { app: "web" }), named("db", { app: "db" }), named("all", {}), named("none")];
const updated = (before: Pod, object: Pod): Change<Pod> => ({
  type: "updated",
  key: objectKeyOf(object),
  uid: "",
  before,
  object,
  isResync: false,
});

describe("servicesConcerned", () => {
  it("returns services that select the pod: an empty selector everything, no selector nothing", () => {
    expect(servicesSelecting(services, { app: "web" })).toEqual(["shop/web", "shop/all"]);
    expect(servicesSelecting(services, undefined)).toEqual(["shop/all"]);
  });

  it("returns joined and left services for labels, all of its services for the endpoint, and all of them for both", () => {
    const [web, db] = [podOf("a"), podOf("a", { metadata: { labels: { app: "db" } } })];
    expect(servicesConcerned(updated(web, podOf("a", { phase: "Pending" })), services)).toEqual([]);
    expect(servicesConcerned(updated(web, podOf("a", { ready: false })), services)).toEqual(["shop/web", "shop/all"]);
    expect(servicesConcerned(updated(web, db), services)).toEqual(["shop/web", "shop/db"]);
    expect(servicesConcerned(updated(web, podOf("a", { ready: false, metadata: { labels: { app: "db" } } })), services)).toEqual([
      "shop/web",
      "shop/all",
      "shop/db",
    ]);
    expect(
      servicesConcerned({ type: "deleted", key: objectKeyOf(web), uid: "", object: web, isFinalStateUnknown: false }, services),
    ).toEqual(["shop/web", "shop/all"]);
  });
});
