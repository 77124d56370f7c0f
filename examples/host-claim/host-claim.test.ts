import type { ApplyObject } from "drover";
import { Ingress, Namespace } from "drover/kinds";
import { harness } from "drover/testing";
import { expect, it } from "vitest";
import { HostClaim, app } from "./host-claim.ts";

const ingress = (host: string | undefined): ApplyObject<Ingress> => ({
  metadata: { name: "web" },
  spec: {
    rules: [
      {
        ...(host === undefined ? {} : { host }),
        http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } }] },
      },
    ],
  },
});

it("fills in host and contact, and keeps the host", async () => {
  await using t = await harness(app);
  const claim = await t.create(HostClaim, { metadata: { name: "shop" }, spec: {} });
  expect(claim.spec).toEqual({ host: "shop.example.com", contact: "system:admin" });
  await expect(t.patch(HostClaim, "shop", { spec: { host: "other.example.com" } })).rejects.toThrow("cannot be changed");
  await t.settled();
  expect(await t.get(HostClaim, "shop")).toMatchObject({ status: { conditions: [{ type: "Ready", status: "True" }] } });
});

it("refuses a host that another namespace has claimed", async () => {
  await using t = await harness(app);
  await t.create(Namespace, { metadata: { name: "other" } });
  await t.create(HostClaim, { metadata: { name: "shop" }, spec: {} });
  await expect(
    t.client.create(HostClaim, { metadata: { name: "mine", namespace: "other" }, spec: { host: "shop.example.com" } }),
  ).rejects.toThrow('spec.host: Duplicate value: "shop.example.com": is claimed in namespace default');
  await t.patch(HostClaim, "shop", { spec: { contact: "ann" } });
});

it("lets an Ingress use only claimed hosts", async () => {
  await using t = await harness(app);
  await expect(t.create(Ingress, ingress("shop.example.com"))).rejects.toThrow(
    'spec.rules[0].host: Invalid value: "shop.example.com": no HostClaim in namespace default claims it',
  );
  await expect(t.create(Ingress, ingress(undefined))).rejects.toThrow("name a host in every rule");
  await t.create(HostClaim, { metadata: { name: "shop" }, spec: {} });
  await t.create(Ingress, ingress("shop.example.com"));
});
