/** Services, and their Endpoints and EndpointSlices. */
import { Deployment } from "@drover/api/apps/v1";
import { Endpoints, Pod, Service } from "@drover/api/core/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import { create, patch, remove, scene, step, until } from "../scene.ts";
import type { Condition, Scene, SceneView } from "../scene.ts";
import { all, counts, deployment, gone, image, pod, podsReady, rolledOut, service, somePods, template } from "../scene-objects.ts";

const endpoints = (view: SceneView) => view.list(EndpointSlice).flatMap(({ endpoints: found = [] }) => found ?? []);
/** Slices and Endpoints have this many ready addresses, and this many in total. */
const leadsTo = (ready: number, total = ready): Condition =>
  until(`it leads to ${ready} of ${total}`, (view) => {
    const found = endpoints(view);
    const subsets = view.get(Endpoints, "web")?.subsets ?? [];
    const [are, not] = [
      subsets.reduce((sum, subset) => sum + (subset.addresses?.length ?? 0), 0),
      subsets.reduce((sum, subset) => sum + (subset.notReadyAddresses?.length ?? 0), 0),
    ];
    return (
      found.length === total &&
      found.filter(({ conditions }) => conditions?.ready === true).length === ready &&
      are === ready &&
      are + not === total
    );
  });
const both = (spec: Parameters<typeof service>[0] = {}, of: Parameters<typeof deployment>[0] = {}) => [
  create(Service, service(spec)),
  create(Deployment, deployment(of)),
];
const ports = (...names: readonly string[]) =>
  template({
    spec: { containers: [{ name: "main", image: "web:1", ports: names.map((name, index) => ({ name, containerPort: 8080 + index })) }] },
  });

export const services: readonly Scene[] = [
  scene(
    "a service of a Deployment",
    step("create", both(), all(rolledOut(), leadsTo(3))),
    step("new image", [patch(Deployment, "web", image("web:2"))], all(rolledOut(), leadsTo(3))),
    step("down", [patch(Deployment, "web", { spec: { replicas: 1 } })], all(rolledOut(), leadsTo(1))),
    step("to nothing", [patch(Deployment, "web", { spec: { replicas: 0 } })], all(rolledOut(), leadsTo(0))),
  ),
  scene(
    "a service before its pods",
    step("service", [create(Service, service())], all(counts(EndpointSlice, 1), counts(Endpoints, 1))),
    step("pods", [create(Pod, pod("a")), create(Pod, pod("b"))], leadsTo(2)),
  ),
  scene(
    "another selector",
    step("create", [create(Pod, pod("a")), create(Pod, pod("b", { labels: { app: "other" } })), create(Service, service())], leadsTo(1)),
    step(
      "changed",
      [patch(Service, "web", { spec: { selector: { app: "other" } } })],
      until("b is meant", (view) => endpoints(view).every(({ targetRef }) => targetRef?.name === "b") && leadsTo(1).holds(view)),
    ),
    step("none fits", [patch(Service, "web", { spec: { selector: { app: "nobody" } } })], leadsTo(0)),
  ),
  scene(
    "a pod that is not ready",
    step(
      "create",
      [create(Pod, pod("a")), create(Pod, pod("b", { conduct: { ready: "false" } })), create(Service, service())],
      all(podsReady(1), leadsTo(1, 2)),
    ),
    step("ready", [patch(Pod, "b", { metadata: { annotations: { "drover.dev/ready": "true" } } })], leadsTo(2)),
    step("not ready again", [patch(Pod, "a", { metadata: { annotations: { "drover.dev/ready": "false" } } })], leadsTo(1, 2)),
  ),
  scene(
    "addresses that are published unready",
    step(
      "create",
      [
        create(Pod, pod("a", { conduct: { ready: "false" } })),
        create(Service, service({ publishNotReadyAddresses: true, clusterIP: "None" })),
      ],
      leadsTo(1),
    ),
  ),
  scene("a headless service", step("create", both({ clusterIP: "None" }), all(rolledOut(), leadsTo(3)))),
  scene(
    "hostnames and subdomains",
    step(
      "create",
      [
        create(Service, service({ clusterIP: "None" })),
        create(Pod, pod("a", { spec: { hostname: "first", subdomain: "web" } })),
        create(Pod, pod("b", { spec: { hostname: "second", subdomain: "elsewhere" } })),
      ],
      leadsTo(2),
    ),
  ),
  scene(
    "named ports",
    step(
      "create",
      both(
        {
          ports: [
            { name: "http", port: 80, targetPort: "http" },
            { name: "admin", port: 81, targetPort: "admin" },
          ],
        },
        { template: ports("http", "admin") },
      ),
      all(rolledOut(), leadsTo(3)),
    ),
    step(
      "another port",
      [patch(Service, "web", { spec: { ports: [{ name: "http", port: 8080, targetPort: 9090 }] } })],
      until(
        "9090",
        (view) =>
          view.list(EndpointSlice).some(({ ports: found }) => found?.some(({ port }) => port === 9090) === true) && leadsTo(3).holds(view),
      ),
    ),
  ),
  scene(
    "a port that only some pods have",
    step(
      "create",
      [
        create(Service, service({ ports: [{ name: "http", port: 80, targetPort: "http" }] })),
        create(Pod, pod("a", { spec: ports("http").spec ?? {} })),
        create(Pod, pod("b", { spec: ports("other").spec ?? {} })),
      ],
      podsReady(2),
    ),
  ),
  scene(
    "labels of a service",
    step(
      "create",
      [
        create(Service, { ...service(), metadata: { name: "web", labels: { tier: "front" }, annotations: { note: "a" } } }),
        create(Pod, pod("a")),
      ],
      leadsTo(1),
    ),
    step(
      "labelled",
      [patch(Service, "web", { metadata: { labels: { tier: "back" } } })],
      until(
        "labelled",
        (view) =>
          view.list(EndpointSlice).every(({ metadata }) => metadata.labels?.["tier"] === "back") &&
          view.get(Endpoints, "web")?.metadata.labels?.["tier"] === "back",
      ),
    ),
  ),
  scene(
    "a service without a selector",
    step("create", [create(Service, { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } }), create(Pod, pod("a"))], podsReady(1)),
    step("selector", [patch(Service, "web", { spec: { selector: { app: "web" } } })], leadsTo(1)),
  ),
  scene(
    "a service that is deleted",
    step("create", [create(Service, service()), create(Pod, pod("a"))], leadsTo(1)),
    step("deleted", [remove(Service, "web")], all(gone(Endpoints), gone(EndpointSlice))),
  ),
  scene(
    "pods that go",
    step(
      "create",
      [create(Service, service()), create(Pod, pod("a", { conduct: { "stop-after": "4s" } })), create(Pod, pod("b"))],
      leadsTo(2),
    ),
    step("one goes", [remove(Pod, "a")], leadsTo(1)),
  ),
  scene(
    "pods that have ended",
    step(
      "create",
      [
        create(Service, service()),
        create(Pod, pod("a")),
        create(Pod, pod("b", { conduct: { "exit-after": "1s" }, spec: { restartPolicy: "Never" } })),
      ],
      all(
        counts(Pod, 1, ({ status }) => status?.phase === "Succeeded"),
        leadsTo(1),
      ),
    ),
  ),
  scene(
    "slices that are full",
    step("pods", [create(Deployment, deployment({ replicas: 120 }))], rolledOut()),
    step("service", [create(Service, service())], leadsTo(120)),
    step("down", [patch(Deployment, "web", { spec: { replicas: 30 } })], all(rolledOut(), leadsTo(30))),
  ),
  scene(
    "a slice that was deleted",
    step("create", [create(Service, service()), create(Pod, pod("a"))], leadsTo(1)),
    step("deleted", [remove(EndpointSlice, (view) => view.list(EndpointSlice).map(({ metadata }) => metadata.name ?? ""))], leadsTo(1)),
    step("endpoints deleted", [remove(Endpoints, "web")], leadsTo(1)),
  ),
  scene(
    "two services of one pod",
    step(
      "create",
      [create(Service, service()), create(Service, service({ ports: [{ port: 81 }] }, "more")), create(Pod, pod("a"))],
      until("both", (view) => endpoints(view).length === 2),
    ),
    step(
      "released",
      [patch(Pod, somePods(1), { metadata: { labels: { app: "other" } } })],
      until("neither", (view) => endpoints(view).length === 0),
    ),
  ),
];
