import type { ProblemArea } from "../problem.ts";

export const definitions: ProblemArea = {
  title: "Definitions of resources",
  problems: [
    {
      code: "DRV0101",
      title: "The schema cannot be expressed as a custom resource",
      means:
        "The API server checks custom resources with a structural OpenAPI schema, not with JavaScript. Drover converts a zod schema into one and refuses what would be lost, so that the server never accepts what your program does not. Nothing was sent to a server.",
      causes: [
        "Code in the schema: `refine()`, `check()`, `transform()`, `preprocess()`, codecs.",
        "Types without JSON: `z.date()`, `z.map()`, `z.set()`, `z.bigint()`, functions.",
        "Unions of objects without a field that selects the variant, tuples, intersections with conflicting fields.",
        "A schema of zod 3, or a TypeScript type instead of a schema.",
      ],
      find: ["Each line of the message names the path, for example `spec.ports[].name`, and what to write instead."],
      fixes: [
        'Rules: `.meta({ "x-kubernetes-validations": [{ rule: "self.min <= self.max", message: "…" }] })`, in CEL, which the server evaluates.',
        "Times: `z.iso.datetime()`. Maps: `z.record(z.string(), …)`. Variants: `z.discriminatedUnion`.",
        "Conversions belong into `reconcile`; the schema describes what is stored.",
      ],
    },
    {
      code: "DRV0102",
      title: "Group, version or kind is not a valid name",
      means: "`defineResource` refuses names that an API server would refuse when the definition is installed.",
      causes: [
        "The group is one word. It must be a DNS name with a dot, because groups without one belong to Kubernetes.",
        "The version is not v1, v1beta1 or the like: clients sort versions by this pattern.",
        "The kind is not one word in CamelCase.",
      ],
      find: ["The message names the field and its value."],
      fixes: ['`defineResource({ group: "shop.example.com", version: "v1", kind: "WebApp", … })` with a domain that you own.'],
    },
    {
      code: "DRV0104",
      title: "The installed definition has an incompatible schema",
      means:
        "The CustomResourceDefinition on the server has another schema, and objects that are valid under it may be invalid or lose fields under the new one. The operator does not start and nothing was written.",
      causes: [
        "A field was removed, renamed, made required, or got a narrower type or enum in the same version.",
        "Two operators, or an older release of the same one, define the same resource.",
      ],
      find: [
        "The message lists every break with its path.",
        "`kubectl get crd NAME -o yaml` shows the installed schema; its managedFields tell which program wrote it and when.",
      ],
      fixes: [
        'Add a new version, and keep the old one: `version: "v2", olderVersions: { v1: { spec: …, up, down } }`.',
        "Make the change compatible: new fields optional or with a default, enums only wider.",
        '`installResource(client, Kind, { onIncompatible: "install" })`, or `kubectl apply` of the definition, forces it if no object is affected. Check with `kubectl get KIND -A -o yaml` first.',
      ],
    },
    {
      code: "DRV0105",
      title: "The definition is not installed, and the program may not install it",
      means: "The server does not serve the kind, so no cache of it can be filled. The operator does not start.",
      causes: [
        "The service account of the operator has no permission to write CustomResourceDefinitions, and no administrator has installed them.",
        "The operator runs with `install: false`.",
        "The definition exists, but this version of it is not served.",
      ],
      find: [
        "`kubectl get crd NAME`, and `kubectl api-resources --api-group GROUP`.",
        "`drover doctor` lists definitions that are not served.",
      ],
      fixes: [
        "Let an administrator install it: print `Kind.definition()` as YAML and `kubectl apply -f` it before the operator is deployed.",
        "Or grant what `app.roles()` prints, and run with `install: true`.",
      ],
    },
    {
      code: "DRV0108",
      title: "An object does not fit the schema of its resource",
      means: "`parse` found invalid fields. For an object from the server this means that it was stored under another schema.",
      causes: [
        "The object was created before the schema became stricter; the server validates only what is written.",
        "A test or a program passes an object that the server would refuse.",
        "A converter (`up` or `down` of `olderVersions`) returns an invalid object.",
      ],
      find: ["The message lists every invalid field. `kubectl get KIND NAME -o yaml` shows the object."],
      fixes: ["Correct the object with `kubectl edit`.", "Make the field optional, or give it a default, and handle its absence in code."],
    },
    {
      code: "DRV0109",
      title: "A conversion between versions loses or invents something",
      means:
        "`checkConversions` converted an object to the other version and back, and it came back changed. On a cluster a client of the other version would change the object by merely writing it back.",
      causes: [
        "A field exists in one version only and is not carried over.",
        "A default is filled in on the way, or a value is normalised.",
        "A converter throws for an object that its schema allows.",
      ],
      find: ["The message shows the smallest object found, before, between and after."],
      fixes: [
        "Keep what the other version cannot express in an annotation, and read it on the way back.",
        "Convert every field in both directions, and leave defaults to the schemas.",
      ],
    },
  ],
};
