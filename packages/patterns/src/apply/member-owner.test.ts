import { ConfigMap } from "@drover/api/core/v1";
import type { ObjectMeta } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { memberOwner } from "./member-owner.ts";
import { setIdentity, setLabel } from "./set-identity.ts";

const owner = { kind: ConfigMap, object: { metadata: { name: "owner", namespace: "shop", uid: "u-1" } } };
const identity = setIdentity({ name: "web", supersedes: ["old"] }, owner);
const whose = (metadata: ObjectMeta): unknown => memberOwner({ metadata: { name: "x", namespace: "shop", ...metadata } }, identity, owner);
const reference = (uid: string, name = "owner") => [{ apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true }];
const wrangler = (changes: Record<string, string> = {}): ObjectMeta => ({
  labels: { "objectset.rio.cattle.io/hash": "abc" },
  annotations: Object.fromEntries(
    Object.entries({ id: "web", "owner-gvk": "/v1, Kind=ConfigMap", "owner-name": "owner", "owner-namespace": "shop", ...changes }).map(
      ([key, value]) => [`objectset.rio.cattle.io/${key}`, value],
    ),
  ),
});

describe("memberOwner", () => {
  it("is ours and deletable with our label, also that of a former name", () => {
    expect(whose({ labels: { [setLabel]: identity.id } })).toEqual({ type: "ours", isMarked: true });
    expect(whose({ labels: { [setLabel]: identity.earlierIds[0] ?? "" } })).toEqual({ type: "ours", isMarked: true });
  });

  it("is ours but not deletable with a controller reference or our annotations alone", () => {
    expect(whose({ ownerReferences: reference("u-1") })).toEqual({ type: "ours", isMarked: false });
    expect(whose({ annotations: { "drover.dev/set-name": "web", "drover.dev/owner": "ConfigMap shop/owner" } })).toEqual({
      type: "ours",
      isMarked: false,
    });
    expect(whose({ annotations: { "drover.dev/set-name": "web", "drover.dev/owner": "ConfigMap shop/other" } })).toEqual({
      type: "unowned",
    });
  });

  it("is another owner's with their label or controller, whatever else it has", () => {
    expect(
      whose({
        labels: { [setLabel]: "theirs" },
        annotations: { "drover.dev/set-name": "api", "drover.dev/owner": "ConfigMap shop/other" },
        ownerReferences: reference("u-1"),
      }),
    ).toEqual({ type: "other", owner: "the set api of ConfigMap shop/other" });
    expect(whose({ labels: { [setLabel]: identity.id }, ownerReferences: reference("u-9", "other") })).toEqual({
      type: "other",
      owner: "ConfigMap shop/other",
    });
    expect(whose({ ...wrangler(), ownerReferences: reference("u-9", "other") })).toEqual({ type: "other", owner: "ConfigMap shop/other" });
  });

  it("is ours if a former owner of the same name labelled it", () => {
    expect(whose({ labels: { [setLabel]: identity.id }, ownerReferences: reference("u-0") })).toEqual({ type: "ours", isMarked: true });
    expect(whose({ ownerReferences: reference("u-0") })).toEqual({ type: "other", owner: "ConfigMap shop/owner" });
  });

  it("is ours with Wrangler's annotations for the same owner and set", () => {
    expect(whose(wrangler())).toEqual({ type: "ours", isMarked: true });
    expect(whose(wrangler({ id: "old" }))).toEqual({ type: "ours", isMarked: true });
    expect(whose(wrangler({ id: "else" }))).toEqual({ type: "other", owner: "ConfigMap shop/owner (Wrangler's set else)" });
    expect(whose(wrangler({ "owner-gvk": "helm.cattle.io/v1, Kind=HelmChart" }))).toEqual({
      type: "other",
      owner: "HelmChart.helm.cattle.io shop/owner (Wrangler's set web)",
    });
    expect(whose({ labels: { "objectset.rio.cattle.io/hash": "abc" } })).toEqual({
      type: "other",
      owner: "an unknown owner (Wrangler's set without an id)",
    });
  });

  it("is unowned without any mark", () => {
    expect(whose({})).toEqual({ type: "unowned" });
    expect(whose({ ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u-5" }] })).toEqual({ type: "unowned" });
  });
});
