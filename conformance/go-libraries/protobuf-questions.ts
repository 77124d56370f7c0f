/** Objects and bytes whose protobuf form is recorded from Kubernetes' own serializer. */
import { encodeEnvelope, ProtobufWriter } from "@drover/machinery/protobuf";
import type { JsonObject } from "@drover/machinery";

/** Either an object to write or bytes to read. */
export interface ProtobufQuestion {
  readonly title: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly json?: string;
  /** In base64. */
  readonly message?: string;
}

const parts = (key: string): { readonly group: string; readonly version: string; readonly kind: string } => {
  const [group = "", version = "", kind = ""] = key.split("/");
  return { group, version, kind };
};

const object = (key: string, title: string, value: JsonObject): ProtobufQuestion => ({
  title: `writes ${title}`,
  ...parts(key),
  json: JSON.stringify(value),
});
const bytes = (title: string, whole: Uint8Array | readonly number[]): ProtobufQuestion => ({
  title: `reads ${title}`,
  ...parts("/v1/Pod"),
  message: Buffer.from(whole).toString("base64"),
});
const message = (
  title: string,
  write: (writer: ProtobufWriter) => void,
  { kind = "Pod", apiVersion = "v1" }: { readonly kind?: string; readonly apiVersion?: string } = {},
): ProtobufQuestion => {
  const writer = new ProtobufWriter();
  write(writer);
  return bytes(title, encodeEnvelope({ apiVersion, kind, message: writer.finish() }));
};
const raw = (title: string, ...inner: readonly number[]): ProtobufQuestion =>
  bytes(title, encodeEnvelope({ apiVersion: "v1", kind: "Pod", message: Uint8Array.from(inner) }));
const container = (writer: ProtobufWriter, write: (container: ProtobufWriter) => void): void =>
  writer.message(2, (spec) => spec.message(2, write));

const metadata = {
  name: "web",
  namespace: "default",
  uid: "a-b",
  resourceVersion: "7",
  generation: 9007199254740991,
  creationTimestamp: "2026-01-02T03:04:05Z",
  labels: { b: "2", a: "ä", "": "👩‍👧" },
  ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "u", controller: true, blockOwnerDeletion: false }],
  finalizers: ["x/y"],
  managedFields: [
    {
      manager: "m",
      operation: "Update",
      apiVersion: "v1",
      time: "2026-01-02T03:04:05Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { ".": {}, 'k:{"name":"a"}': {} } },
    },
  ],
};

export const questions: readonly ProtobufQuestion[] = [
  object("/v1/ConfigMap", "texts and bytes by key", {
    metadata,
    immutable: false,
    data: { b: "1", a: "ä", "": "" },
    binaryData: { x: "AP8=", none: "" },
  }),
  object("/v1/Secret", "a Secret", { type: "Opaque", data: { password: "c2VjcmV0" } }),
  object("/v1/Pod", "a Pod", {
    metadata,
    spec: {
      restartPolicy: "Always",
      nodeName: "n",
      priority: -5,
      activeDeadlineSeconds: 0,
      securityContext: { runAsUser: 0, supplementalGroups: [1, 2 ** 40] },
      containers: [
        {
          name: "c",
          image: "nginx",
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: "1500m", memory: "1Gi" } },
          env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
          livenessProbe: { httpGet: { port: "http" }, periodSeconds: 3 },
          readinessProbe: { tcpSocket: { port: 80 } },
        },
      ],
      volumes: [
        { name: "a", emptyDir: {} },
        { name: "b", configMap: { name: "m", defaultMode: 420 } },
      ],
      tolerations: [{ key: "k", operator: "Exists", tolerationSeconds: 300 }],
    },
    status: {
      phase: "Running",
      startTime: "1969-12-31T23:59:59Z",
      containerStatuses: [
        { name: "c", ready: true, restartCount: 1, image: "nginx", imageID: "", state: { running: { startedAt: null } } },
      ],
    },
  }),
  object("/v1/Service", "a port that is a number, and one that is a name", {
    spec: {
      ports: [
        { port: 80, targetPort: 8080 },
        { port: 81, targetPort: "web" },
      ],
      selector: { app: "web" },
    },
  }),
  object("apps/v1/StatefulSet", "claims inside a StatefulSet, without their kind", {
    spec: {
      selector: {},
      serviceName: "",
      template: {},
      volumeClaimTemplates: [{ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "d" } }],
    },
  }),
  object("apps/v1/Deployment", "an empty Deployment", {}),
  object("apps/v1/ControllerRevision", "JSON as it stands", { data: { b: [1, 1.5, null, "<a>"], a: {} }, revision: -1 }),
  object("coordination.k8s.io/v1/Lease", "times with microseconds", {
    spec: { renewTime: "2026-01-02T03:04:05.123456Z", acquireTime: "1969-12-31T23:59:59.999999Z", leaseDurationSeconds: 15 },
  }),
  object("authentication.k8s.io/v1/TokenReview", "lists by key", {
    spec: {},
    status: { user: { username: "u", extra: { a: ["1", ""], b: [] } } },
  }),
  object("apiextensions.k8s.io/v1/CustomResourceDefinition", "a schema in all its forms", {
    spec: {
      group: "g",
      scope: "Namespaced",
      names: { plural: "p", kind: "K" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              maximum: 1.5,
              minimum: -0.5,
              minLength: 0,
              default: { a: null },
              enum: ["a", 1, null],
              items: { type: "string" },
              "x-kubernetes-preserve-unknown-fields": true,
              properties: {
                open: { additionalProperties: true },
                closed: { additionalProperties: false },
                typed: { additionalProperties: { type: "string" } },
                several: { items: [{ type: "string" }, {}] },
              },
              dependencies: { a: ["b", "c"], d: { type: "object" } },
            },
          },
        },
      ],
    },
  }),

  bytes("nothing", []),
  bytes("JSON", Buffer.from('{"kind":"Pod"}')),
  bytes("a prefix alone", [0x6b, 0x38, 0x73, 0]),
  bytes("half an envelope", [0x6b, 0x38, 0x73, 0, 0x0a, 9]),
  bytes("an envelope of nothing", [0x6b, 0x38, 0x73, 0, 0x1a, 0]),
  raw("half a field", 0x0a),
  raw("half a message", 0x0a, 5, 0x0a),
  raw("a length below zero", 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1),
  raw("a length beyond all bounds", 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
  raw("a number of eleven bytes", 0x18, ...Array.from({ length: 10 }, () => 0x80), 1),
  raw("field 0", 0x02, 0),
  raw("a field below zero", 0xf8, 0xff, 0xff, 0xff, 0xff, 0x7f, 0),
  raw("the end of a group", 0x0c),
  raw("groups nobody knows", 0x9b, 0x06, 0x08, 1, 0x9b, 0x06, 0x9c, 0x06, 0x9c, 0x06),
  raw("half a group", 0x9b, 0x06, 0x08),
  raw("a form nobody knows", 0x9e, 0x06),
  raw("a number where metadata belong", 0x08, 1),
  message("fields nobody knows", (writer) => {
    writer.string(100, "x");
    writer.double(101, 1);
  }),
  message("metadata in two pieces", (writer) => {
    writer.message(1, (meta) => meta.string(1, "a"));
    writer.message(1, (meta) => {
      meta.string(1, "b");
      meta.string(3, "n");
    });
  }),
  message("a quantity that is none", (writer) =>
    container(writer, (inner) =>
      inner.message(8, (resources) =>
        resources.message(1, (entry) => {
          entry.string(1, "cpu");
          entry.message(2, (quantity) => quantity.string(1, "abc"));
        }),
      ),
    ),
  ),
  message("a quantity in another form", (writer) =>
    container(writer, (inner) =>
      inner.message(8, (resources) =>
        resources.message(1, (entry) => {
          entry.string(1, "cpu");
          entry.message(2, (quantity) => quantity.string(1, "1000m"));
        }),
      ),
    ),
  ),
  message("entries without key and value", (writer) =>
    writer.message(1, (meta) => {
      meta.message(11, () => undefined);
      meta.message(12, (entry) => entry.string(1, "__proto__"));
    }),
  ),
  message("packed numbers", (writer) =>
    writer.message(2, (spec) => spec.message(14, (context) => context.bytes(4, Uint8Array.of(1, 0x80, 1)))),
  ),
  message("numbers beyond their bounds", (writer) =>
    writer.message(2, (spec) => {
      spec.int64(25, 2n ** 40n + 5n);
      spec.int64(4, 2n ** 62n + 1n);
      spec.int64(11, 2n ** 40n);
    }),
  ),
  message("bytes that are no text", (writer) => writer.message(1, (meta) => meta.bytes(1, Uint8Array.of(0x61, 0xff, 0x62)))),
  message("a time of which only the seconds count", (writer) =>
    writer.message(1, (meta) =>
      meta.message(9, (time) => {
        time.int64(1, 1_700_000_000);
        time.int64(2, 999_999_999);
      }),
    ),
  ),
  message("a kind nobody knows", () => undefined, { kind: "Nothing" }),
  message("a version nobody knows", () => undefined, { apiVersion: "v7" }),
  message("a version that is none", () => undefined, { apiVersion: "a/b/c" }),
  message("a kind that is left out", () => undefined, { apiVersion: "", kind: "" }),
];
