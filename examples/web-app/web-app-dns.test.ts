import { harness } from "drover/testing";
import { expect, it } from "vitest";
import { dns } from "./dns.ts";
import { WebApp, app } from "./web-app.ts";

it("leaves no DNS record behind when the host changes or is removed, also with faults and a crash in between (SEC15)", async () => {
  for (const crash of [undefined, 5, 10, 15, 20, 25, 30]) {
    await using t = await harness(app);
    if (crash !== undefined) t.crashAfter(crash);
    t.fault({ answer: 500, times: 2 });
    await t.create(WebApp, { metadata: { name: "shop" }, spec: { image: "shop:1", host: "a.example.com" } });
    await t.settled();
    for (const host of ["b.example.com", "c.example.com", null, "d.example.com"]) {
      await t.patch(WebApp, "shop", { spec: { host } });
      await t.settled();
      expect([crash, dns.hosts()]).toEqual([crash, host === null ? [] : [host]]);
    }
    await t.delete(WebApp, "shop");
    await t.settled();
    expect([crash, dns.hosts()]).toEqual([crash, []]);
  }
});

it("does not take a host that another WebApp has, and keeps it when that one is deleted", async () => {
  await using t = await harness(app);
  await t.create(WebApp, { metadata: { name: "first" }, spec: { image: "shop:1", host: "shop.example.com" } });
  await t.settled();
  await t.create(WebApp, { metadata: { name: "second" }, spec: { image: "shop:1", host: "shop.example.com" } });
  await expect(t.settled()).rejects.toThrow("the host shop.example.com belongs to another object");
  await t.delete(WebApp, "second");
  await t.settled();
  expect(dns.hosts()).toEqual(["shop.example.com"]);
  await t.delete(WebApp, "first");
  await t.settled();
  expect(dns.hosts()).toEqual([]);
});
