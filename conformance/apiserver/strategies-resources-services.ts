/** Services, valid and invalid. */
import type { JsonObject } from "@drover/machinery";
import { casesOf } from "./strategies-resources-case.ts";
import type { ResourceCase } from "./strategies-resources-case.ts";

const spec = (fields: JsonObject): JsonObject => ({ spec: fields });
const nodePort = (port: number): JsonObject => ({ type: "NodePort", ports: [{ port: 80, nodePort: port }] });

export const serviceCases: readonly ResourceCase[] = casesOf("/v1/Service", [
  ["gets an address", {}],
  ["takes the address it asks for", spec({ clusterIP: "10.0.0.7" })],
  ["refuses an address that is taken", spec({ clusterIP: "10.0.0.1" })],
  ["refuses an address outside of the range", spec({ clusterIP: "10.1.0.1" })],
  ["refuses the network's own address", spec({ clusterIP: "10.0.0.0" })],
  ["refuses an address of a family that is not there", spec({ clusterIP: "fd00::1" })],
  ["refuses a family that is not there", spec({ ipFamilies: ["IPv6"] })],
  ["refuses to require both families", spec({ ipFamilyPolicy: "RequireDualStack" })],
  ["may prefer both families", spec({ ipFamilyPolicy: "PreferDualStack" })],
  ["refuses an unknown policy of families", spec({ ipFamilyPolicy: "Zed" })],
  ["refuses an unknown family", spec({ ipFamilies: ["IPv5"] })],
  ["refuses a family twice", spec({ ipFamilies: ["IPv4", "IPv4"] })],
  ["refuses two families with one stack", spec({ ipFamilies: ["IPv4", "IPv6"] })],
  ["refuses what is no address", spec({ clusterIP: "1.2.3" })],
  ["refuses leading zeros", spec({ clusterIP: "10.00.0.9" })],
  ["refuses None beside an address", spec({ clusterIP: "None", clusterIPs: ["None", "10.0.0.4"] })],
  ["refuses addresses that disagree", spec({ clusterIP: "10.0.0.5", clusterIPs: ["10.0.0.4"] })],
  ["refuses the plural without the singular", spec({ clusterIPs: ["10.0.0.4"] })],
  ["refuses three addresses", spec({ clusterIP: "10.0.0.4", clusterIPs: ["10.0.0.4", "10.0.0.5", "10.0.0.6"] })],
  ["may be headless", spec({ clusterIP: "None", selector: { a: "b" } })],
  ["is of both families headless without a selector", spec({ clusterIP: "None" })],
  ["is of one family headless without a selector if it says so", spec({ clusterIP: "None", ipFamilyPolicy: "SingleStack", ports: null })],
  ["starts with the family it names", spec({ clusterIP: "None", ipFamilies: ["IPv6"] })],
  ["refuses a family that is not there headless with a selector", spec({ clusterIP: "None", ipFamilies: ["IPv6"], selector: { a: "b" } })],
  ["needs ports", spec({ ports: null })],
  ["may be a name elsewhere", spec({ type: "ExternalName", externalName: "a.example.com.", ports: null })],
  ["needs a name elsewhere", spec({ type: "ExternalName" })],
  [
    "refuses addresses for a name elsewhere",
    spec({ type: "ExternalName", externalName: "a.b", clusterIP: "10.0.0.9", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }),
  ],
  ["refuses a bad name elsewhere", spec({ type: "ExternalName", externalName: "A_b" })],
  ["gets a node port", spec({ type: "NodePort" })],
  ["refuses a node port outside of the range", spec(nodePort(80))],
  ["takes the node port it asks for", spec(nodePort(30_123))],
  [
    "shares a node port between protocols",
    spec({
      type: "NodePort",
      ports: [
        { name: "a", port: 80, nodePort: 30_002 },
        { name: "b", port: 80, protocol: "UDP" },
      ],
    }),
  ],
  [
    "refuses one node port for two ports",
    spec({
      type: "NodePort",
      ports: [
        { name: "a", port: 80, nodePort: 30_003 },
        { name: "b", port: 81, nodePort: 30_003 },
      ],
    }),
  ],
  ["refuses a node port for a plain one", spec({ ports: [{ port: 80, nodePort: 30_004 }] })],
  ["gets node ports as a load balancer", spec({ type: "LoadBalancer" })],
  ["may have none as a load balancer", spec({ type: "LoadBalancer", allocateLoadBalancerNodePorts: false })],
  ["gets a port for health checks", spec({ type: "LoadBalancer", externalTrafficPolicy: "Local" })],
  [
    "takes the port for health checks it asks for",
    spec({ type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 30_100 }),
  ],
  [
    "refuses a port for health checks outside of the range",
    spec({ type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 70_000 }),
  ],
  ["refuses a port for health checks where there are none", spec({ healthCheckNodePort: 30_100 })],
  ["refuses to be headless as a load balancer", spec({ type: "LoadBalancer", clusterIP: "None" })],
  ["refuses to be headless with node ports", spec({ type: "NodePort", clusterIP: "None" })],
  ["refuses an unknown type", spec({ type: "Zed" })],
  [
    "refuses bad ports",
    spec({
      ports: [
        { port: 0 },
        { port: 0, name: "A_", protocol: "zed", targetPort: "Fo_" },
        { port: 90, name: "b", targetPort: 70_000, appProtocol: "a/b/c" },
        { port: 90, name: "b" },
      ],
    }),
  ],
  ["refuses bad labels to select", spec({ selector: { "a b": "c d" } })],
  ["refuses an unknown affinity", spec({ sessionAffinity: "Zed" })],
  ["gets a time for affinity", spec({ sessionAffinity: "ClientIP" })],
  ["refuses too long an affinity", spec({ sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 100_000 } } })],
  ["refuses settings for no affinity", spec({ sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } } })],
  [
    "refuses external addresses of the machine itself",
    spec({ externalIPs: ["127.0.0.1", "1.2.3", "::", "169.254.1.1", "fe80::1", "224.0.0.1"] }),
  ],
  [
    "refuses traffic policies it does not know",
    spec({ type: "NodePort", externalTrafficPolicy: "Zed", internalTrafficPolicy: "Zed", trafficDistribution: "Zed" }),
  ],
  ["refuses an external policy where nothing comes from outside", spec({ externalTrafficPolicy: "Local" })],
  [
    "refuses what only load balancers have",
    spec({ loadBalancerSourceRanges: ["10.0.0.0/8", "x"], allocateLoadBalancerNodePorts: true, loadBalancerClass: "a" }),
  ],
  [
    "refuses a bad class of load balancers",
    spec({ type: "LoadBalancer", loadBalancerClass: "a b", loadBalancerSourceRanges: ["10.0.0.1/8"] }),
  ],
  [
    "refuses annotations that disagree",
    { metadata: { annotations: { "service.kubernetes.io/topology-mode": "a", "service.kubernetes.io/topology-aware-hints": "b" } } },
  ],
  [
    "refuses bad source ranges in an annotation",
    { metadata: { annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8, zed" } } },
  ],

  [
    "keeps its address when it is sent again without one",
    {},
    spec({ clusterIP: null, clusterIPs: null, ipFamilies: null, ipFamilyPolicy: null }),
  ],
  ["refuses to change its address", spec({ clusterIP: "10.0.0.8" }), spec({ clusterIP: "10.0.0.9" })],
  ["refuses to become headless", {}, spec({ clusterIP: "None" })],
  ["refuses to change its addresses alone", spec({ clusterIP: "10.0.0.8" }), spec({ clusterIPs: ["10.0.0.9"] })],
  ["becomes one with node ports", {}, spec({ type: "NodePort" })],
  ["keeps its node ports when it is sent again without them", spec(nodePort(30_006)), spec({ ports: [{ port: 80 }] })],
  ["changes its node port", spec(nodePort(30_007)), spec({ ports: [{ port: 80, protocol: "TCP", targetPort: 80, nodePort: 30_008 }] })],
  ["loses its node ports with its type", spec({ type: "NodePort" }), spec({ type: "ClusterIP" })],
  ["becomes a name elsewhere", {}, spec({ type: "ExternalName", externalName: "a.b" })],
  [
    "comes back from a name elsewhere",
    spec({ type: "ExternalName", externalName: "a.b", ports: [{ port: 80 }] }),
    spec({ type: "ClusterIP", externalName: null }),
  ],
  ["stays a name elsewhere", spec({ type: "ExternalName", externalName: "a.b" }), spec({ externalName: "b.c" })],
  [
    "refuses one node port twice in a change",
    spec({ type: "NodePort" }),
    spec({
      ports: [
        { name: "a", port: 80, nodePort: 30_009, protocol: "TCP" },
        { name: "b", port: 81, nodePort: 30_009, protocol: "TCP" },
      ],
    }),
  ],
  [
    "loses its port for health checks",
    spec({ type: "LoadBalancer", externalTrafficPolicy: "Local" }),
    spec({ externalTrafficPolicy: "Cluster" }),
  ],
  [
    "refuses to change its port for health checks",
    spec({ type: "LoadBalancer", externalTrafficPolicy: "Local" }),
    spec({ healthCheckNodePort: 30_101 }),
  ],
  ["refuses to change its class", spec({ type: "LoadBalancer", loadBalancerClass: "a.b/c" }), spec({ loadBalancerClass: "a.b/d" })],
  ["loses its class with its type", spec({ type: "LoadBalancer", loadBalancerClass: "a.b/c" }), spec({ type: "ClusterIP" })],
  ["refuses to require both families later", {}, spec({ ipFamilyPolicy: "RequireDualStack" })],
  ["refuses another family later", {}, spec({ ipFamilies: ["IPv6"] })],
  ["may prefer both families later", {}, spec({ ipFamilyPolicy: "PreferDualStack" })],
  [
    "takes where its load balancer is",
    spec({ type: "LoadBalancer" }),
    { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4", ipMode: "VIP" }, { hostname: "a.b" }] } } },
    "status",
  ],
  [
    "refuses bad places of its load balancer",
    spec({ type: "LoadBalancer" }),
    { status: { loadBalancer: { ingress: [{ ip: "1.2.3", ipMode: "Zed" }, { hostname: "A_", ipMode: "VIP" }, { hostname: "1.2.3.4" }] } } },
    "status",
  ],
  ["refuses places without being a load balancer", {}, { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } }, "status"],
]);
