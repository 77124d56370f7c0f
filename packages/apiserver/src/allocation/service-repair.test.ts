import { describe, expect, it } from "vitest";
import { recordsScene } from "../testing/records-scene.ts";
import type { RecordsScene } from "../testing/records-scene.ts";
import { storedService } from "../testing/service-fixture.ts";
import { portsOf } from "./port-record.ts";

const web = { namespace: "default", name: "web" };
const nodePort = storedService({ type: "NodePort", ports: [{ port: 80, protocol: "TCP", nodePort: 30_500 }] });
const ports = async ({ records }: RecordsScene): Promise<readonly number[]> => portsOf((await records.portRecord()).ports);
const messages = ({ runtime }: RecordsScene): readonly string[] => runtime.log.entries.map(({ message }) => message);

/** Runs the repair as often as asked, three minutes apart. */
async function repairs(scene: RecordsScene, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await scene.runtime.clock.advance(180_000);
    await scene.repair.run();
  }
}

describe("ServiceRepair", () => {
  it("records what stored Services have, as after an upgrade", async () => {
    const scene = await recordsScene();
    await scene.putService(nodePort);
    await scene.repair.run();
    expect(await scene.addresses()).toEqual(["10.0.0.20"]);
    expect(await ports(scene)).toEqual([30_500]);
    expect(messages(scene)).toEqual(["recorded addresses of Services that had no right record"]);
    const before = await scene.store.revision();
    await repairs(scene, 5);
    expect(await scene.store.revision()).toBe(before);
  });

  it("releases the address of a Service that was never written, after a minute", async () => {
    const scene = await recordsScene();
    await scene.records.takeAddress("10.0.0.20", web);
    await scene.repair.run();
    await scene.runtime.clock.advance(59_000);
    await scene.repair.run();
    expect(await scene.addresses()).toEqual(["10.0.0.20"]);
    await scene.runtime.clock.advance(1000);
    await scene.repair.run();
    expect(await scene.addresses()).toEqual([]);
    expect(messages(scene)).toEqual(["released an address that has no Service"]);
  });

  it("keeps the address of a Service that is written before the minute is over", async () => {
    const scene = await recordsScene();
    await scene.records.takeAddress("10.0.0.20", web);
    await scene.repair.run();
    await scene.putService(storedService());
    await repairs(scene, 3);
    expect(await scene.addresses()).toEqual(["10.0.0.20"]);
  });

  it("gives a new record of the same address a minute of its own", async () => {
    const scene = await recordsScene();
    await scene.records.takeAddress("10.0.0.20", web);
    await scene.repair.run();
    await scene.records.releaseAddress("10.0.0.20", web);
    await scene.records.takeAddress("10.0.0.20", { namespace: "default", name: "other" });
    await repairs(scene, 1);
    expect(await scene.addresses()).toEqual(["10.0.0.20"]);
  });

  it("releases a node port that no Service has in four runs, and none that gets one", async () => {
    const scene = await recordsScene();
    await scene.repair.run();
    await scene.records.changePorts(({ taken }) => [taken.take(1), taken.take(500)]);
    await repairs(scene, 3);
    expect(await ports(scene)).toEqual([30_001, 30_500]);
    await scene.putService(nodePort);
    await repairs(scene, 1);
    expect(await ports(scene)).toEqual([30_500]);
    expect(messages(scene)).toContain("released node ports that have no Service");
    await scene.deleteService(nodePort);
    await repairs(scene, 3);
    expect(await ports(scene)).toEqual([30_500]);
  });

  it("replaces a record that names another Service, and reports two Services with one address", async () => {
    const scene = await recordsScene();
    await scene.records.takeAddress("10.0.0.20", { namespace: "gone", name: "gone" });
    await scene.putService(storedService());
    await scene.repair.run();
    await scene.records.releaseAddress("10.0.0.20", { namespace: "gone", name: "gone" });
    expect(await scene.addresses()).toEqual(["10.0.0.20"]);
    await scene.putService({ ...storedService(), metadata: { name: "zweb", namespace: "default" } });
    await scene.repair.run();
    expect(messages(scene)).toContain("two Services have the same address; create one of them again");
    await scene.records.releaseAddress("10.0.0.20", { namespace: "default", name: "zweb" });
    expect(await scene.addresses()).toEqual(["10.0.0.20"]);
  });

  it("leaves addresses of other managers alone", async () => {
    const scene = await recordsScene();
    const metadata = { name: "10.0.0.77", labels: { "ipaddress.kubernetes.io/managed-by": "me" } };
    const spec = { parentRef: { resource: "widgets", name: "w" } };
    await scene.put("networking.k8s.io", "ipaddresses", { apiVersion: "networking.k8s.io/v1", kind: "IPAddress", metadata, spec });
    await repairs(scene, 3);
    expect(await scene.addresses()).toEqual(["10.0.0.77"]);
  });
});
