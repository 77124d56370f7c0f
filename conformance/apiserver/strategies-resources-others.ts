/** Kinds of the other groups, valid and invalid. */
import type { JsonObject } from "@drover/machinery";
import { casesOf } from "./strategies-resources-case.ts";
import type { ResourceCase } from "./strategies-resources-case.ts";

const backend = { service: { name: "s", port: { number: 80 } } };
const rule = (path: JsonObject): JsonObject => ({ spec: { rules: [{ http: { paths: [path] } }] } });
const metrics = (...items: JsonObject[]): JsonObject => ({ spec: { metrics: items } });
const webhook = {
  name: "a.example.com",
  clientConfig: { service: { name: "s", namespace: "n" } },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const webhooks = (change: JsonObject): JsonObject => ({ webhooks: [{ ...webhook, ...change }] });
const group = "rbac.authorization.k8s.io/v1";

export const otherCases: readonly ResourceCase[] = [
  ...casesOf("networking.k8s.io/v1/Ingress", [
    [
      "is taken",
      {
        spec: {
          rules: [{ host: "*.a.b", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
          tls: [{ hosts: ["a.b"], secretName: "s" }],
        },
      },
    ],
    ["needs a rule or a backend", { spec: { defaultBackend: null } }],
    ["needs a type of path", rule({ path: "/", backend })],
    ["refuses an unknown type of path", rule({ path: "/", pathType: "Zed", backend })],
    [
      "refuses bad paths",
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  { path: "a", pathType: "Exact", backend },
                  { path: "/a//b/./c/../%2f/..", pathType: "Prefix", backend },
                  { path: "a", pathType: "ImplementationSpecific", backend },
                ],
              },
            },
            { http: { paths: [] } },
          ],
        },
      },
    ],
    [
      "refuses bad hosts",
      {
        spec: {
          rules: [{ host: "1.2.3.4" }, { host: "A_" }, { host: "*" }],
          tls: [{ hosts: ["A_", "a.*"], secretName: "A_" }],
          ingressClassName: "A_",
        },
      },
    ],
    [
      "refuses bad backends",
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  { pathType: "Prefix", path: "/", backend: {} },
                  { pathType: "Prefix", path: "/", backend: { service: { name: "", port: {} } } },
                  { pathType: "Prefix", path: "/", backend: { service: { name: "A_", port: { name: "a", number: 1 } } } },
                  { pathType: "Prefix", path: "/", backend: { service: { name: "s", port: { name: "A_" } } } },
                  { pathType: "Prefix", path: "/", backend: { service: { name: "s", port: { number: 70_000 } } } },
                  { pathType: "Prefix", path: "/", backend: { resource: { kind: "", name: "a/b", apiGroup: "A_" } } },
                  { pathType: "Prefix", path: "/", backend: { resource: { kind: "K", name: "n" } } },
                  { pathType: "Prefix", path: "/", backend: { ...backend, resource: { kind: "K", name: "n" } } },
                ],
              },
            },
          ],
        },
      },
    ],
    [
      "refuses classes that disagree",
      { metadata: { annotations: { "kubernetes.io/ingress.class": "a" } }, spec: { ingressClassName: "b" } },
    ],
    [
      "refuses bad places of its load balancer",
      {},
      { status: { loadBalancer: { ingress: [{ ip: "1.2.3" }, { hostname: "1.2.3.4" }] } } },
      "status",
    ],
  ]),
  ...casesOf("networking.k8s.io/v1/IngressClass", [
    ["needs a controller", { spec: { controller: "" } }],
    ["refuses bad parameters", { spec: { parameters: { apiGroup: "A_", kind: "", name: "a/b", scope: "Zed" } } }],
    ["needs a namespace for parameters in one", { spec: { parameters: { scope: "Namespace" } } }],
    ["refuses a namespace for parameters in none", { spec: { parameters: { namespace: "n" } } }],
    ["refuses to change its controller", {}, { spec: { controller: "example.com/d" } }],
  ]),
  ...casesOf("networking.k8s.io/v1/NetworkPolicy", [
    [
      "is taken",
      {
        spec: {
          ingress: [
            {
              from: [{ podSelector: {} }, { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }],
              ports: [{ port: "http" }, { port: 80, endPort: 90 }],
            },
          ],
        },
      },
    ],
    [
      "refuses bad ports",
      {
        spec: {
          ingress: [
            {
              ports: [
                { protocol: "Zed" },
                { port: 0 },
                { port: "A_" },
                { port: 80, endPort: 70 },
                { port: "a", endPort: 80 },
                { endPort: 80 },
              ],
            },
          ],
        },
      },
    ],
    [
      "refuses bad peers",
      {
        spec: {
          egress: [
            {
              to: [
                {},
                { podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } },
                { ipBlock: { cidr: "" } },
                { ipBlock: { cidr: "x" } },
                { ipBlock: { cidr: "10.0.0.1/8", except: ["11.0.0.0/16", "10.0.0.0/8", "y"] } },
                { podSelector: { matchLabels: { "a b": "c" } } },
              ],
            },
          ],
        },
      },
    ],
    ["refuses bad types", { spec: { policyTypes: ["Zed"] } }],
    ["refuses too many types", { spec: { policyTypes: ["Ingress", "Egress", "Ingress"] } }],
  ]),
  ...casesOf("networking.k8s.io/v1/ServiceCIDR", [
    ["needs a block", { spec: { cidrs: [] } }],
    ["refuses three blocks", { spec: { cidrs: ["10.77.0.0/24", "10.78.0.0/24", "10.79.0.0/24"] } }],
    ["refuses two of a family, and bad ones", { spec: { cidrs: ["10.77.0.1/24", "10.78.0.0/24"] } }],
  ]),
  ...casesOf("networking.k8s.io/v1/IPAddress", [
    ["needs to know whose it is", { spec: { parentRef: null } }],
    ["needs to know more", { spec: { parentRef: { resource: "", name: "a/b", group: "A_", namespace: "%" } } }],
    ["refuses to change whose it is", {}, { spec: { parentRef: { name: "t" } } }],
  ]),
  ...casesOf("policy/v1/PodDisruptionBudget", [
    ["is taken", {}],
    ["refuses both bounds", { spec: { maxUnavailable: 1 } }],
    ["refuses bad bounds", { spec: { minAvailable: "a" } }],
    ["refuses more than all", { spec: { minAvailable: "101%" } }],
    ["refuses less than none", { spec: { minAvailable: -1 } }],
    [
      "refuses a bad selector and policy",
      {
        spec: {
          selector: {
            matchExpressions: [
              { key: "a b", operator: "Zed" },
              { key: "a", operator: "In" },
              { key: "a", operator: "Exists", values: ["b"] },
            ],
          },
          unhealthyPodEvictionPolicy: "Zed",
        },
      },
    ],
    [
      "refuses a bad status",
      {},
      {
        status: {
          disruptionsAllowed: -1,
          currentHealthy: -1,
          desiredHealthy: -1,
          expectedPods: -1,
          conditions: [
            { type: "a b", status: "Zed", reason: "", message: "", lastTransitionTime: null },
            { type: "a b", status: "True", reason: "1", message: "", lastTransitionTime: "2024-01-02T03:04:05Z" },
          ],
        },
      },
      "status",
    ],
  ]),
  ...casesOf("autoscaling/v2/HorizontalPodAutoscaler", [
    ["is taken", {}],
    ["needs a bound", { spec: { maxReplicas: 0 } }],
    ["refuses bad bounds", { spec: { minReplicas: 5, maxReplicas: 2 } }],
    ["refuses negative bounds", { spec: { minReplicas: -1, maxReplicas: -2 } }],
    ["refuses to go down to nothing", { spec: { minReplicas: 0 } }],
    ["needs a target", { spec: { scaleTargetRef: { kind: "", name: "a/b", apiVersion: "v1" } } }],
    ["refuses a bad version of its target", { spec: { scaleTargetRef: { apiVersion: "a/b/c" } } }],
    ["refuses metrics without a source", metrics({ type: "Resource" }, { type: "Zed" }, { type: "" })],
    [
      "refuses metrics with two sources",
      metrics({
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } },
        pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } },
      }),
    ],
    [
      "refuses bad targets",
      metrics(
        { type: "Resource", resource: { name: "", target: { type: "Zed" } } },
        { type: "Pods", pods: { metric: { name: "" }, target: { type: "Value", value: "-1" } } },
        { type: "Object", object: { describedObject: { kind: "", name: "" }, metric: { name: "a/b" }, target: { type: "Value" } } },
        { type: "External", external: { metric: { name: "m" }, target: { type: "Value", value: "1", averageValue: "0" } } },
        {
          type: "ContainerResource",
          containerResource: { name: "zed", container: "A_", target: { type: "Utilization", averageUtilization: 1, averageValue: "1" } },
        },
      ),
    ],
    [
      "refuses bad behaviour",
      {
        spec: {
          behavior: {
            scaleUp: {
              stabilizationWindowSeconds: 4000,
              selectPolicy: "Zed",
              policies: [
                { type: "Zed", value: 0, periodSeconds: 2000 },
                { type: "Pods", value: 1, periodSeconds: 0 },
              ],
            },
            scaleDown: { stabilizationWindowSeconds: -1, tolerance: "-1" },
          },
        },
      },
    ],
    ["refuses a bad status", {}, { status: { currentReplicas: -1, desiredReplicas: -1 } }, "status"],
  ]),
  ...casesOf("autoscaling/v1/HorizontalPodAutoscaler", [
    ["is taken", {}],
    ["needs a bound", { spec: { maxReplicas: 0 } }],
    ["refuses a bad target of use", { spec: { targetCPUUtilizationPercentage: 0 } }],
  ]),
  ...casesOf("coordination.k8s.io/v1/Lease", [
    ["refuses bad numbers", { spec: { leaseDurationSeconds: 0, leaseTransitions: -1, strategy: "Zed", preferredHolder: "a" } }],
    ["refuses a holder without a strategy", { spec: { preferredHolder: "a" } }],
  ]),
  ...casesOf("discovery.k8s.io/v1/EndpointSlice", [
    ["is taken", {}],
    ["needs a type", { addressType: "" }],
    ["refuses an unknown type", { addressType: "Zed" }],
    [
      "refuses bad addresses",
      {
        endpoints: [
          { addresses: [] },
          {
            addresses: ["x", "127.0.0.1", "fd00::1"],
            nodeName: "A_",
            hostname: "A_",
            hints: { forZones: [{ name: "a" }, { name: "a" }, { name: "a b" }] },
          },
        ],
      },
    ],
    ["refuses addresses of the other family", { addressType: "IPv6", endpoints: [{ addresses: ["1.2.3.4", "fe80::1"] }] }],
    ["refuses bad names", { addressType: "FQDN", endpoints: [{ addresses: ["a", "A_.b"] }] }],
    ["refuses bad ports", { ports: [{ name: "A_", protocol: "zed", appProtocol: "a b" }, { name: "b" }, { name: "b" }] }],
    ["refuses to change its type", { endpoints: [] }, { addressType: "IPv6" }],
  ]),
  ...casesOf(`${group}/Role`, [
    ["is taken", { rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] }],
    ["refuses rules about nothing", { rules: [{ verbs: [] }, { verbs: ["get"], nonResourceURLs: ["/a"], resources: ["b"] }] }],
  ]),
  ...casesOf(`${group}/ClusterRole`, [
    ["takes rules about paths", { rules: [{ verbs: ["get"], nonResourceURLs: ["/a"] }] }],
    ["refuses rules about both", { rules: [{ verbs: ["get"], nonResourceURLs: ["/a"], apiGroups: [""] }] }],
    ["refuses bad selectors", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] } }],
    ["needs selectors", { aggregationRule: { clusterRoleSelectors: [] } }],
  ]),
  ...casesOf(`${group}/RoleBinding`, [
    ["refuses a bad role", { roleRef: { kind: "Zed", name: "", apiGroup: "zed" } }],
    [
      "refuses bad subjects",
      {
        subjects: [
          { kind: "Zed", name: "" },
          { kind: "ServiceAccount", name: "A_", apiGroup: "zed" },
          { kind: "User", name: "u", apiGroup: "zed" },
        ],
      },
    ],
    ["refuses to change its role", {}, { roleRef: { name: "edit" } }],
    ["changes its subjects", {}, { subjects: [] }],
  ]),
  ...casesOf(`${group}/ClusterRoleBinding`, [
    ["refuses a role of a namespace", { roleRef: { kind: "Role" }, subjects: [{ kind: "ServiceAccount", name: "a" }] }],
    ["refuses to change its role", {}, { roleRef: { name: "edit" } }],
  ]),
  ...casesOf("scheduling.k8s.io/v1/PriorityClass", [
    ["refuses too high a value", { value: 2_000_000_000, preemptionPolicy: "Zed" }],
    ["refuses to change", {}, { value: 6, preemptionPolicy: "Never" }],
  ]),
  ...casesOf("node.k8s.io/v1/RuntimeClass", [
    ["needs a handler", { handler: "" }],
    [
      "refuses a bad handler",
      {
        handler: "A_",
        scheduling: {
          nodeSelector: { "a b": "c" },
          tolerations: [{ key: "a", operator: "Exists" }, { key: "a", operator: "Exists" }, { operator: "Zed" }],
        },
        overhead: { podFixed: { zed: "1" } },
      },
    ],
    ["refuses to change its handler", {}, { handler: "i" }],
  ]),
  ...casesOf("storage.k8s.io/v1/StorageClass", [
    ["needs a provisioner", { provisioner: "" }],
    [
      "refuses bad values",
      {
        provisioner: "a b",
        reclaimPolicy: "Zed",
        volumeBindingMode: "Zed",
        parameters: { "": "a" },
        allowedTopologies: [
          {
            matchLabelExpressions: [
              { key: "a b", values: [] },
              { key: "c", values: ["d", "d"] },
            ],
          },
        ],
      },
    ],
    [
      "refuses to change",
      {},
      { provisioner: "example.com/q", reclaimPolicy: "Retain", volumeBindingMode: "WaitForFirstConsumer", parameters: { a: "b" } },
    ],
  ]),
  ...casesOf("storage.k8s.io/v1/VolumeAttributesClass", [
    ["needs a driver and parameters", { driverName: "", parameters: null }],
    ["refuses to change", {}, { driverName: "e.example.com", parameters: { a: "c" } }],
  ]),
  ...casesOf("storage.k8s.io/v1/CSIStorageCapacity", [
    ["refuses bad values", { storageClassName: "", capacity: "-1", nodeTopology: { matchLabels: { "a b": "c" } } }],
    ["refuses to change its class", {}, { storageClassName: "d" }],
  ]),
  ...casesOf("storage.k8s.io/v1/CSIDriver", [
    [
      "refuses bad values",
      {
        spec: {
          fsGroupPolicy: "Zed",
          volumeLifecycleModes: ["Zed"],
          tokenRequests: [{ audience: "a", expirationSeconds: 1 }, { audience: "a" }],
          nodeAllocatableUpdatePeriodSeconds: 1,
        },
      },
    ],
    ["refuses to change", {}, { spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } }],
  ]),
  ...casesOf("storage.k8s.io/v1/CSINode", [
    [
      "refuses bad drivers",
      {
        spec: {
          drivers: [
            { name: "", nodeID: "" },
            { name: "A_", nodeID: "a", topologyKeys: ["a b", "c", "c"], allocatable: { count: -1 } },
            { name: "d", nodeID: "a" },
            { name: "d", nodeID: "b" },
          ],
        },
      },
    ],
    [
      "refuses to change a driver",
      { spec: { drivers: [{ name: "d", nodeID: "a" }] } },
      { spec: { drivers: [{ name: "d", nodeID: "b" }] } },
    ],
  ]),
  ...casesOf("storage.k8s.io/v1/VolumeAttachment", [
    ["needs what it attaches", { spec: { attacher: "", nodeName: "A_", source: { persistentVolumeName: null } } }],
    ["refuses a bad volume", { spec: { attacher: "A_", source: { persistentVolumeName: "A_" } } }],
    ["refuses to change", {}, { spec: { nodeName: "m" } }],
  ]),
  ...casesOf("admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", [
    ["refuses bad names", { webhooks: [{ ...webhook, name: "a" }, webhook, webhook] }],
    [
      "refuses bad choices",
      webhooks({
        failurePolicy: "Zed",
        matchPolicy: "Zed",
        sideEffects: "Some",
        timeoutSeconds: 31,
        admissionReviewVersions: ["v2", "A_", "v2"],
      }),
    ],
    ["needs versions and effects", webhooks({ sideEffects: null, admissionReviewVersions: [] })],
    ["needs one way to be called", webhooks({ clientConfig: {} })],
    ["refuses a bad URL", webhooks({ clientConfig: { url: "http://u:p@host/path?q#f" } })],
    ["refuses a bad service", webhooks({ clientConfig: { service: { name: "", namespace: "n", path: "a//B_", port: 70_000 } } })],
    [
      "refuses bad rules",
      webhooks({
        rules: [
          {
            operations: ["*", "Zed"],
            apiGroups: ["*", "a"],
            apiVersions: [""],
            resources: ["*", "pods", "a/*", "a/b", "*/*"],
            scope: "Zed",
          },
          { operations: [], apiGroups: [], apiVersions: [], resources: [] },
        ],
      }),
    ],
    [
      "refuses bad selectors and conditions",
      webhooks({
        namespaceSelector: { matchLabels: { "a b": "c" } },
        objectSelector: { matchExpressions: [{ key: "a", operator: "Zed" }] },
        matchConditions: [
          { name: "", expression: " " },
          { name: "a b", expression: "true" },
        ],
      }),
    ],
  ]),
  ...casesOf("admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", [
    ["refuses an unknown way to be called again", webhooks({ reinvocationPolicy: "Zed" })],
  ]),
  ...casesOf("admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", [
    [
      "needs something to do",
      { spec: { validations: null, matchConstraints: null, failurePolicy: "Zed", paramKind: { apiVersion: "a/b/c", kind: "" } } },
    ],
    [
      "refuses bad parts",
      {
        spec: {
          variables: [{ name: "a b", expression: "" }],
          validations: [{ expression: " ", reason: "Zed" }],
          matchConstraints: { matchPolicy: "Zed", resourceRules: [{ resourceNames: ["a/b", "a", "a"] }] },
        },
      },
    ],
  ]),
  ...casesOf("admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", [
    ["needs a policy and actions", { spec: { policyName: "", validationActions: [] } }],
    ["refuses bad parts", { spec: { policyName: "A_", validationActions: ["Zed", "Deny", "Warn", "Deny"], paramRef: {} } }],
  ]),
  ...casesOf("admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", [
    ["needs a policy", { spec: { policyName: "", paramRef: { name: "a", selector: {}, parameterNotFoundAction: "Zed" } } }],
  ]),
  ...casesOf("certificates.k8s.io/v1/CertificateSigningRequest", [
    ["knows who asks", { spec: { username: "somebody", groups: ["else"] } }],
    [
      "refuses bad values",
      {
        spec: {
          request: Buffer.from("x").toString("base64"),
          signerName: "a",
          usages: ["zed", "client auth", "client auth"],
          expirationSeconds: 10,
        },
      },
    ],
    ["refuses a bad signer", { spec: { signerName: "A_/b c", usages: [] } }],
    ["refuses the legacy signer", { spec: { signerName: "kubernetes.io/legacy-unknown" } }],
    ["never changes what is asked for", {}, { spec: { signerName: "example.com/other" }, status: { certificate: "eA==" } }],
    [
      "is approved at approval",
      {},
      { status: { conditions: [{ type: "Approved", status: "True", reason: "r", message: "m" }] } },
      "approval",
    ],
    [
      "refuses to be approved and denied",
      {},
      {
        status: {
          conditions: [
            { type: "Approved", status: "False" },
            { type: "Denied", status: "True" },
            { type: "", status: "" },
          ],
        },
      },
      "approval",
    ],
    ["refuses to be approved at status", {}, { status: { conditions: [{ type: "Approved", status: "True" }] } }, "status"],
    ["refuses a bad certificate", {}, { status: { certificate: "eA==" } }, "status"],
  ]),
  ...casesOf("apiregistration.k8s.io/v1/APIService", [
    [
      "refuses bad values",
      {
        metadata: { name: "v2.minimal.example.com" },
        spec: {
          version: "A_",
          groupPriorityMinimum: 0,
          versionPriority: 2000,
          service: { name: "", namespace: "", port: 70_000 },
          caBundle: "eA==",
        },
      },
    ],
    ["refuses to be insecure here", { spec: { service: null } }],
    ["is available here", { spec: { service: null, insecureSkipTLSVerify: null } }],
  ]),
  ...casesOf("flowcontrol.apiserver.k8s.io/v1/FlowSchema", [
    [
      "refuses bad values",
      { spec: { matchingPrecedence: 1, distinguisherMethod: { type: "Zed" }, priorityLevelConfiguration: { name: "" } } },
    ],
    [
      "refuses bad rules",
      {
        spec: {
          rules: [
            { subjects: [] },
            {
              subjects: [
                { kind: "Zed" },
                { kind: "User" },
                { kind: "Group", group: { name: "" }, user: { name: "u" } },
                { kind: "ServiceAccount", serviceAccount: { name: "A_", namespace: "" } },
              ],
              resourceRules: [{ verbs: ["*", "get"], apiGroups: [], resources: ["*", "a"], namespaces: ["A_"] }],
              nonResourceRules: [{ verbs: ["zed"], nonResourceURLs: ["a", "/a//b", "/*/a"] }],
            },
          ],
        },
      },
    ],
  ]),
  ...casesOf("flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", [
    ["is taken", {}],
    ["refuses an exempt one of another name", { spec: { type: "Exempt" } }],
    ["refuses an unknown type", { spec: { type: "Zed" } }],
    [
      "refuses bad queues",
      {
        spec: {
          limited: {
            nominalConcurrencyShares: -1,
            lendablePercent: 101,
            borrowingLimitPercent: -1,
            limitResponse: { queuing: { queues: 1, handSize: 2, queueLengthLimit: -1 } },
          },
        },
      },
    ],
    ["refuses queues where there are none", { spec: { limited: { limitResponse: { type: "Reject", queuing: { queues: 8 } } } } }],
  ]),
  ...casesOf("resource.k8s.io/v1/ResourceClaim", [
    [
      "refuses bad requests",
      {
        spec: {
          devices: {
            requests: [
              { name: "", exactly: { deviceClassName: "" } },
              { name: "A_" },
              { name: "b", exactly: { deviceClassName: "c", allocationMode: "Zed" } },
            ],
          },
        },
      },
    ],
  ]),
  ...casesOf("resource.k8s.io/v1/ResourceSlice", [
    ["refuses bad values", { spec: { driver: "", nodeName: null, pool: { name: "", resourceSliceCount: 0, generation: -1 } } }],
  ]),
];
