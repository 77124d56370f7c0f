/**
 * Pods and workloads for `strategies-workloads.test.ts`: each has one unusual or invalid field.
 *
 *     podCases → a Pod each · workloadCases → an object of the named kind
 */
import type { JsonObject } from "@drover/machinery";

/** What is unusual, in words; and the object. */
export type Cases<T> = Readonly<Record<string, T>>;

/** A valid pod with other fields in its spec. */
export const podWith = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "web", ...metadata },
  spec: { containers: [{ name: "c", image: "nginx:1" }], ...spec },
});
/** … with other fields in its container. */
export const containerWith = (container: JsonObject, spec: JsonObject = {}): JsonObject =>
  podWith({ ...spec, containers: [{ name: "c", image: "nginx:1", ...container }] });
/** … with one volume. */
export const volumeWith = (source: JsonObject): JsonObject => podWith({ volumes: [{ name: "v", ...source }] });

const labels = { app: "web" };
const template = (spec: JsonObject = {}, metadata: JsonObject = { labels }): JsonObject => ({
  metadata,
  spec: { containers: [{ name: "c", image: "nginx:1" }], ...spec },
});
const selector = { matchLabels: labels };
const long = (length: number): string => "a".repeat(length);
const exec = { exec: { command: ["true"] } };
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

const containerCases: Cases<JsonObject> = {
  "no containers": podWith({ containers: [] }),
  "no container's name": podWith({ containers: [{ image: "a" }] }),
  "a container's name in capitals": containerWith({ name: "C_1" }),
  "two containers of one name": podWith({
    containers: [
      { name: "c", image: "a" },
      { name: "c", image: "b" },
    ],
  }),
  "no image": podWith({ containers: [{ name: "c" }] }),
  "an image with spaces around": containerWith({ image: " nginx " }),
  "an unknown pull policy": containerWith({ imagePullPolicy: "Sometimes" }),
  "an unknown message policy": containerWith({ terminationMessagePolicy: "Log<s>" }),
  "a port of 0": containerWith({ ports: [{ containerPort: 0 }] }),
  "a port beyond 65535": containerWith({ ports: [{ containerPort: 70000, hostPort: 70000 }] }),
  "an unknown protocol": containerWith({ ports: [{ containerPort: 80, protocol: "HTTP" }] }),
  "port names that are none": containerWith({
    ports: [
      { containerPort: 80, name: "way-too-long-for-a-port" },
      { containerPort: 81, name: "-a--1-" },
      { containerPort: 82, name: "123" },
    ],
  }),
  "two ports of one name": containerWith({
    ports: [
      { containerPort: 80, name: "http" },
      { containerPort: 81, name: "http" },
    ],
  }),
  "two containers on one port of the host": podWith({
    containers: [
      { name: "a", image: "a", ports: [{ containerPort: 80, hostPort: 8080 }] },
      { name: "b", image: "b", ports: [{ containerPort: 81, hostPort: 8080 }] },
    ],
  }),
  "another port of the host on its network": containerWith({ ports: [{ containerPort: 80, hostPort: 81 }] }, { hostNetwork: true }),
  "variables that are none": containerWith({ env: [{ name: "" }, { name: "A=B", value: "x" }, { name: "ä", value: "x" }] }),
  "a variable from nowhere": containerWith({ env: [{ name: "A", valueFrom: {} }] }),
  "a variable with value and source": containerWith({
    env: [{ name: "A", value: "x", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
  }),
  "a variable from two places": containerWith({
    env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k" }, configMapKeyRef: { name: "c", key: "k" } } }],
  }),
  "a variable from no key": containerWith({
    env: [
      { name: "A", valueFrom: { secretKeyRef: { name: "S", key: "" } } },
      { name: "B", valueFrom: { configMapKeyRef: { name: "", key: "a b" } } },
    ],
  }),
  "a variable from unknown fields": containerWith({
    env: [
      { name: "A", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
      { name: "B", valueFrom: { fieldRef: { fieldPath: "spec.bogus" } } },
      { name: "C", valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } },
      { name: "D", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } },
      { name: "E", valueFrom: { fieldRef: { fieldPath: "metadata.name['a']" } } },
      { name: "F", valueFrom: { fieldRef: { apiVersion: "v2", fieldPath: "metadata.name" } } },
      { name: "G", valueFrom: { fieldRef: { fieldPath: "status.phase" } } },
      { name: "H", valueFrom: { fieldRef: { fieldPath: "" } } },
    ],
  }),
  "a variable from unknown resources": containerWith({
    env: [
      { name: "A", valueFrom: { resourceFieldRef: { resource: "limits.gpu" } } },
      { name: "B", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "2" } } },
      { name: "C", valueFrom: { resourceFieldRef: { resource: "requests.memory", divisor: "3Mi" } } },
      { name: "D", valueFrom: { resourceFieldRef: { resource: "requests.hugepages-2Mi", divisor: "1Mi" } } },
      { name: "E", valueFrom: { resourceFieldRef: { resource: "" } } },
    ],
  }),
  "a variable from files": containerWith(
    {
      env: [
        { name: "A", valueFrom: { fileKeyRef: { volumeName: "v", path: "../x", key: "K" } } },
        { name: "B", valueFrom: { fileKeyRef: { volumeName: "none", path: "x", key: "" } } },
      ],
    },
    { volumes: [{ name: "v", hostPath: { path: "/tmp" } }] },
  ),
  "all of nothing": containerWith({
    envFrom: [{ prefix: "a=b" }, { configMapRef: { name: "" } }, { configMapRef: { name: "A" }, secretRef: { name: "b" } }],
  }),
  "mounts that are none": containerWith({
    volumeMounts: [
      { name: "none", mountPath: "/a" },
      { name: "", mountPath: "" },
    ],
  }),
  "two mounts at one place": containerWith(
    {
      volumeMounts: [
        { name: "v", mountPath: "/a" },
        { name: "v", mountPath: "/a" },
      ],
    },
    { volumes: [{ name: "v", emptyDir: {} }] },
  ),
  "mounts with odd paths": containerWith(
    {
      volumeMounts: [
        { name: "v", mountPath: "/a", subPath: "/abs" },
        { name: "v", mountPath: "/b", subPath: "a/../b", subPathExpr: "$(A)" },
      ],
    },
    { volumes: [{ name: "v", emptyDir: {} }] },
  ),
  "mounts that spread": containerWith(
    {
      volumeMounts: [
        { name: "v", mountPath: "/a", mountPropagation: "Both" },
        { name: "v", mountPath: "/b", mountPropagation: "Bidirectional" },
        { name: "v", mountPath: "/c", recursiveReadOnly: "Enabled" },
        { name: "v", mountPath: "/d", recursiveReadOnly: "Maybe" },
      ],
    },
    { volumes: [{ name: "v", emptyDir: {} }] },
  ),
  "devices that are none": containerWith(
    {
      volumeDevices: [
        { name: "v", devicePath: "/dev/../a" },
        { name: "none", devicePath: "" },
      ],
      volumeMounts: [{ name: "p", mountPath: "/x" }],
    },
    {
      volumes: [
        { name: "v", emptyDir: {} },
        { name: "p", persistentVolumeClaim: { claimName: "p" } },
      ],
    },
  ),
  "a probe without a handler": containerWith({ livenessProbe: { initialDelaySeconds: -1 } }),
  "a probe with two handlers": containerWith({ readinessProbe: { ...exec, tcpSocket: { port: 80 } } }),
  "a probe of no command": containerWith({ startupProbe: { exec: {}, successThreshold: 2 } }),
  "probes of odd ports": containerWith({
    livenessProbe: { httpGet: { port: 0 } },
    readinessProbe: { tcpSocket: { port: "a_b" } },
    startupProbe: { grpc: { port: 70000 } },
  }),
  "a probe of an unknown scheme": containerWith({
    livenessProbe: { httpGet: { port: 80, scheme: "FTP", httpHeaders: [{ name: "a b", value: "" }] }, terminationGracePeriodSeconds: 0 },
  }),
  "a readiness probe with a grace period": containerWith({ readinessProbe: { ...exec, terminationGracePeriodSeconds: 5 } }),
  "hooks that are none": containerWith({ lifecycle: { postStart: {}, preStop: { sleep: { seconds: 60 }, ...exec } } }),
  "a sleep longer than the grace period": containerWith({ lifecycle: { preStop: { sleep: { seconds: 60 } } } }),
  "more asked for than allowed": containerWith({ resources: { requests: { cpu: "2" }, limits: { cpu: "1500m" } } }),
  "a negative amount": containerWith({ resources: { requests: { memory: "-1Gi" } } }),
  "an unknown resource": containerWith({ resources: { limits: { gpu: "1" } } }),
  "a resource of the cluster": containerWith({ resources: { limits: { pods: "1" } } }),
  "half of an extended resource": containerWith({ resources: { limits: { "example.com/gpu": "500m" } } }),
  "an extended resource without a limit": containerWith({ resources: { requests: { "example.com/gpu": "1" } } }),
  "less of an extended resource than its limit": containerWith({
    resources: { requests: { "example.com/gpu": "1" }, limits: { "example.com/gpu": "2" } },
  }),
  "a resource with an odd name": containerWith({ resources: { limits: { "requests.example.com/a": "1" } } }),
  "huge pages alone": containerWith({ resources: { limits: { "hugepages-2Mi": "3Mi" } } }),
  "a claim that is none": containerWith({ resources: { claims: [{ name: "x" }, { name: "" }] } }),
  "resize policies": containerWith(
    {
      resizePolicy: [
        { resourceName: "cpu", restartPolicy: "Maybe" },
        { resourceName: "cpu", restartPolicy: "RestartContainer" },
        { resourceName: "disk", restartPolicy: "NotRequired" },
      ],
    },
    { restartPolicy: "Never" },
  ),
  "an id beyond all": containerWith({ securityContext: { runAsUser: -1, runAsGroup: 2147483648, procMount: "Half" } }),
  "unmasked proc with the host's users": containerWith({ securityContext: { procMount: "Unmasked" } }),
  "seccomp profiles": containerWith(
    { securityContext: { seccompProfile: { type: "Localhost" } } },
    { securityContext: { seccompProfile: { type: "RuntimeDefault", localhostProfile: "x" } } },
  ),
  "an unknown seccomp profile": containerWith({ securityContext: { seccompProfile: { type: "Own" }, appArmorProfile: { type: "Own" } } }),
  "AppArmor profiles": containerWith(
    { securityContext: { appArmorProfile: { type: "Localhost", localhostProfile: " x " } } },
    { securityContext: { appArmorProfile: { type: "Unconfined", localhostProfile: "x" } } },
  ),
  "rights that contradict": containerWith({
    securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ["CAP_SYS_ADMIN", "NET_ADMIN"] } },
  }),
  "windows options": containerWith({
    securityContext: { windowsOptions: { gmsaCredentialSpecName: "A_B", gmsaCredentialSpec: "", runAsUserName: "a\\b\\c" } },
  }),
  "windows users": podWith({ securityContext: { windowsOptions: { runAsUserName: "..." } }, os: { name: "windows" } }),
  "a restart policy of its own": containerWith({
    restartPolicy: "Sometimes",
    restartPolicyRules: [{ action: "Stop" }, { action: "Restart", exitCodes: { operator: "Is", values: [1] } }],
  }),
  "restart rules without a policy": containerWith({
    restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }],
  }),
};

const initCases: Cases<JsonObject> = {
  "an init container named as another": podWith({ initContainers: [{ name: "c", image: "a" }] }),
  "an init container with a probe": podWith({
    initContainers: [{ name: "i", image: "a", livenessProbe: exec, lifecycle: { preStop: exec } }],
  }),
  "a sidecar with a probe": podWith({ initContainers: [{ name: "i", image: "a", restartPolicy: "Always", readinessProbe: exec }] }),
  "a sidecar with a bad probe": podWith({ initContainers: [{ name: "i", image: "a", restartPolicy: "Always", startupProbe: {} }] }),
  "an init container with a policy of its own": podWith({ initContainers: [{ name: "i", image: " a", restartPolicy: "Never" }] }),
  "an init container that restarts on resize": podWith({
    initContainers: [{ name: "i", image: "a", resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] }],
  }),
  "ephemeral containers from the start": podWith({
    ephemeralContainers: [
      {
        name: "e",
        image: "a",
        targetContainerName: "none",
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: "1" } },
        livenessProbe: exec,
      },
    ],
  }),
};

const volumeCases: Cases<JsonObject> = {
  "no source": volumeWith({}),
  "two sources": volumeWith({ emptyDir: {}, hostPath: { path: "/a" } }),
  "three sources": volumeWith({ configMap: { name: "a" }, secret: { secretName: "a" }, downwardAPI: {} }),
  "two volumes of one name": podWith({
    volumes: [
      { name: "v", emptyDir: {} },
      { name: "v", emptyDir: {} },
    ],
  }),
  "odd names of volumes": podWith({
    volumes: [
      { name: "", emptyDir: {} },
      { name: "A.b", emptyDir: {} },
    ],
  }),
  "less than nothing in memory": volumeWith({ emptyDir: { sizeLimit: "-1" } }),
  "a path of the host": volumeWith({ hostPath: { path: "/a/../b", type: "Folder" } }),
  "no path of the host": volumeWith({ hostPath: { path: "" } }),
  "a secret without a name": volumeWith({
    secret: {
      defaultMode: 512,
      items: [
        { key: "", path: "" },
        { key: "a", path: "/b" },
        { key: "c", path: "..d", mode: -1 },
      ],
    },
  }),
  "a config map without a name": volumeWith({ configMap: { items: [{ key: "a", path: "../b" }] } }),
  "an NFS share": volumeWith({ nfs: { server: "", path: "a" } }),
  "a claim without a name": volumeWith({ persistentVolumeClaim: { claimName: "" } }),
  "files of fields": volumeWith({
    downwardAPI: {
      defaultMode: 0o1000,
      items: [
        { path: "a", fieldRef: { fieldPath: "spec.nodeName" } },
        { path: "" },
        { path: "b", fieldRef: { fieldPath: "metadata.name" }, resourceFieldRef: { containerName: "c", resource: "limits.cpu" } },
        { path: "c", resourceFieldRef: { resource: "limits.cpu" } },
      ],
    },
  }),
  projections: volumeWith({
    projected: {
      sources: [
        { secret: { items: [{ key: "a", path: "a" }] } },
        { configMap: { name: "c", items: [{ key: "a", path: "a" }] }, secret: { name: "s" } },
        { downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "metadata.name" } }] } },
      ],
    },
  }),
  "a projected token": volumeWith({ projected: { sources: [{ serviceAccountToken: { path: "", expirationSeconds: 5 } }] } }),
  "a projected token without an account": volumeWith({
    projected: { sources: [{ serviceAccountToken: { path: "../t", expirationSeconds: 4294967297 } }] },
  }),
  CSI: volumeWith({ csi: { driver: "", nodePublishSecretRef: {} } }),
  "CSI with odd names": volumeWith({ csi: { driver: `${long(70)}_`, nodePublishSecretRef: { name: "A" } } }),
  "ephemeral without a template": volumeWith({ ephemeral: {} }),
  "ephemeral with a bad template": volumeWith({
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { name: "x" },
        spec: { accessModes: ["Mine", "ReadWriteOnce", "ReadWriteOncePod"], storageClassName: "A", volumeMode: "Tape" },
      },
    },
  }),
  "ephemeral that asks for nothing": volumeWith({
    ephemeral: {
      volumeClaimTemplate: { spec: { accessModes: [], resources: { requests: { storage: "0" } }, dataSource: { kind: "Pod", name: "" } } },
    },
  }),
  "an image": volumeWith({ image: { pullPolicy: "Sometimes" } }),
  "retired sources": podWith({
    volumes: [
      { name: "a", gitRepo: { repository: "", directory: "/x" } },
      { name: "b", gcePersistentDisk: { pdName: "", partition: 300 } },
      { name: "d", iscsi: { targetPortal: "", iqn: "x", lun: 300 } },
      { name: "e", rbd: { monitors: [], image: "" } },
      { name: "f", cephfs: { monitors: [] } },
      { name: "g", flocker: {} },
      { name: "h", fc: {} },
      { name: "i", azureFile: { secretName: "", shareName: "" } },
      { name: "j", azureDisk: { diskName: "", diskURI: "x", kind: "Managed", cachingMode: "All" } },
      { name: "k", storageos: {} },
      { name: "l", quobyte: { registry: "x", volume: "" } },
      { name: "m", glusterfs: { endpoints: "", path: "" } },
      { name: "n", flexVolume: { driver: "", options: { "kubernetes.io/a": "b" } } },
      { name: "o", portworxVolume: { volumeID: "" } },
      { name: "p", cinder: { volumeID: "", secretRef: {} } },
      { name: "q", scaleIO: { gateway: "", system: "", secretRef: {} } },
      { name: "r", vsphereVolume: { volumePath: "" } },
      { name: "s", photonPersistentDisk: { pdID: "" } },
      { name: "t", awsElasticBlockStore: { volumeID: "" } },
    ],
  }),
};

const specCases: Cases<JsonObject> = {
  "unknown policies": podWith({ restartPolicy: "Sometimes", dnsPolicy: "Mine" }),
  "DNS of its own without any": podWith({ dnsPolicy: "None" }),
  "DNS of its own without servers": podWith({ dnsPolicy: "None", dnsConfig: {} }),
  "odd DNS": podWith({
    dnsConfig: {
      nameservers: ["a", "1.1.1.01", "::ffff:1.1.1.1", "8.8.8.8"],
      searches: ["a_b", "A", "."],
      options: [{ name: "" }, { name: "ndots", value: "2" }],
    },
  }),
  "an impossible deadline": podWith({ activeDeadlineSeconds: 0 }),
  "a negative grace period": podWith({ terminationGracePeriodSeconds: -5 }),
  "odd names": podWith({ hostname: "A.b", subdomain: "-a", serviceAccountName: "A", nodeName: "A_b", priorityClassName: "" }),
  "an odd node selector": podWith({ nodeSelector: { "a b": "c" } }),
  tolerations: podWith({
    tolerations: [
      { operator: "Equal" },
      { key: "a b", operator: "Exists", value: "x" },
      { key: "a", operator: "Like" },
      { key: "a", operator: "Gt", value: "1" },
      { key: "a", value: "a b" },
      { key: "a", operator: "Exists", effect: "NoWay", tolerationSeconds: 3 },
    ],
  }),
  "node affinity": podWith({
    affinity: {
      nodeAffinity: {
        [required]: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: "a", operator: "In" },
                { key: "a", operator: "Exists", values: ["x"] },
                { key: "a b", operator: "Like" },
                { key: "a", operator: "Gt", values: [] },
                { key: "a", operator: "In", values: ["a b"] },
              ],
            },
            {
              matchFields: [
                { key: "metadata.name", operator: "Exists" },
                { key: "spec", operator: "In", values: ["a"] },
                { key: "metadata.name", operator: "In", values: ["A", "b"] },
              ],
            },
          ],
        },
        [preferred]: [
          { weight: 0, preference: {} },
          { weight: 101, preference: { matchExpressions: [{ key: "a", operator: "In", values: ["a b"] }] } },
        ],
      },
    },
  }),
  "node affinity without terms": podWith({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [] } } } }),
  "pod affinity": podWith({
    affinity: {
      podAffinity: {
        [required]: [
          { topologyKey: "", labelSelector: { matchExpressions: [{ key: "a", operator: "Is" }] }, namespaces: ["A"] },
          { topologyKey: "z", matchLabelKeys: ["a"] },
        ],
      },
      podAntiAffinity: {
        [preferred]: [
          { weight: 0, podAffinityTerm: { topologyKey: "z", labelSelector: {}, matchLabelKeys: ["a"], mismatchLabelKeys: ["a"] } },
        ],
      },
    },
  }),
  "label keys": podWith(
    {
      affinity: {
        podAffinity: {
          [required]: [
            { topologyKey: "z", labelSelector: { matchLabels: { app: "web" } }, matchLabelKeys: ["app"], mismatchLabelKeys: ["tier"] },
          ],
        },
      },
    },
    { labels: { app: "web", tier: "a" } },
  ),
  "topology spread": podWith({
    topologySpreadConstraints: [
      { maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Cry" },
      { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway", minDomains: 0 },
      {
        maxSkew: 1,
        topologyKey: "z",
        whenUnsatisfiable: "ScheduleAnyway",
        labelSelector: { matchLabels: { a: "a b" } },
        nodeAffinityPolicy: "Maybe",
        matchLabelKeys: ["a b"],
      },
    ],
  }),
  gates: podWith({ schedulingGates: [{ name: "a" }, { name: "a" }, { name: "a b" }], nodeName: "n" }),
  "readiness gates": podWith({ readinessGates: [{ conditionType: "a b" }] }),
  "aliases of hosts": podWith({ hostAliases: [{ ip: "x", hostnames: ["A", "b"] }, { ip: "" }] }),
  "shared processes with the host's": podWith({ shareProcessNamespace: true, hostPID: true }),
  "users of its own with the host's network": podWith({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }),
  "ids of the pod": podWith({
    securityContext: {
      fsGroup: -1,
      runAsUser: -1,
      runAsGroup: -1,
      supplementalGroups: [1, -1],
      fsGroupChangePolicy: "Maybe",
      supplementalGroupsPolicy: "Maybe",
      seLinuxChangePolicy: "MountOption",
    },
  }),
  sysctls: podWith({
    hostNetwork: true,
    securityContext: {
      sysctls: [
        { name: "", value: "" },
        { name: "A", value: "" },
        { name: "net.ipv4.x", value: "" },
        { name: "kernel.sem", value: "1" },
        { name: "kernel.sem", value: "1" },
      ],
    },
  }),
  "an unknown system": podWith({ os: { name: "plan9" } }),
  "no system": podWith({ os: { name: "" } }),
  "linux with windows options": podWith({ os: { name: "linux" }, securityContext: { windowsOptions: { runAsUserName: "a" } } }),
  "windows with linux options": podWith({
    os: { name: "windows" },
    hostPID: true,
    securityContext: { fsGroup: 1, runAsUser: 1, supplementalGroups: [1] },
    containers: [{ name: "c", image: "a", securityContext: { privileged: false, runAsUser: 1 } }],
  }),
  "processes of the host": podWith({
    securityContext: { windowsOptions: { hostProcess: true } },
    hostNetwork: true,
    os: { name: "windows" },
    containers: [{ name: "c", image: "a", securityContext: { windowsOptions: { hostProcess: false } } }],
  }),
  "a name in place of all others": podWith({ hostnameOverride: `${long(65)}_`, setHostnameAsFQDN: true }),
  "resources of the pod": podWith({
    resources: { requests: { cpu: "1" }, limits: { cpu: "2", "example.com/a": "1" } },
    containers: [{ name: "c", image: "a", resources: { requests: { cpu: "2" }, limits: { cpu: "3" } } }],
  }),
  "claims of the pod": podWith({
    resourceClaims: [
      { name: "a" },
      { name: "a", resourceClaimName: "x", resourceClaimTemplateName: "y" },
      { name: "", resourceClaimName: "X" },
    ],
  }),
  "odd annotations": podWith({}, { annotations: { "controller.kubernetes.io/pod-deletion-cost": "x" } }),
  "an AppArmor annotation for nobody": podWith({}, { annotations: { "container.apparmor.security.beta.kubernetes.io/x": "bogus" } }),
  "a seccomp annotation that disagrees": podWith(
    { securityContext: { seccompProfile: { type: "Unconfined" } } },
    { annotations: { "seccomp.security.alpha.kubernetes.io/pod": "runtime/default" } },
  ),
};

const goodCases: Cases<JsonObject> = {
  "as little as possible": podWith({}),
  guaranteed: containerWith({ resources: { limits: { cpu: "1", memory: "1Gi" } } }),
  burstable: containerWith({ resources: { requests: { cpu: "100m" } } }),
  "guaranteed as a whole": podWith({ resources: { limits: { cpu: "1", memory: "1Gi" } } }),
  "held back": podWith({ schedulingGates: [{ name: "example.com/wait" }] }),
  "spread by its own labels": podWith(
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: {}, matchLabelKeys: ["app"] },
      ],
    },
    { labels: { app: "web" } },
  ),
  "an AppArmor annotation alone": podWith({}, { annotations: { "container.apparmor.security.beta.kubernetes.io/c": "runtime/default" } }),
  "everything mounted": podWith({
    serviceAccountName: "default",
    volumes: [
      { name: "a", emptyDir: {} },
      { name: "b", configMap: { name: "c" } },
      { name: "t", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
      {
        name: "e",
        ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } } },
      },
    ],
    containers: [
      {
        name: "c",
        image: "a",
        volumeMounts: [
          { name: "a", mountPath: "/a" },
          { name: "b", mountPath: "/b", subPath: "x" },
        ],
      },
    ],
  }),
  "full of what is warned of": podWith({
    nodeSelector: { "beta.kubernetes.io/os": "linux" },
    imagePullSecrets: [{ name: "a" }, { name: "a" }, {}],
    hostAliases: [
      { ip: "1.1.1.1", hostnames: ["a"] },
      { ip: "1.1.1.1", hostnames: ["b"] },
      { ip: "2001:DB8::1", hostnames: ["b"] },
    ],
    terminationGracePeriodSeconds: -1,
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "failure-domain.beta.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" }],
    volumes: [
      {
        name: "v",
        configMap: {
          name: "c",
          items: [
            { key: "a", path: "x" },
            { key: "b", path: "x/y" },
          ],
        },
      },
      { name: "g", gitRepo: { repository: "r" } },
      {
        name: "p",
        projected: {
          sources: [
            { secret: { name: "s", items: [{ key: "a", path: "k/" }] } },
            { configMap: { name: "c", items: [{ key: "a", path: "k" }] } },
          ].slice(0, 2),
        },
      },
    ],
    containers: [
      {
        name: "c",
        image: "a",
        env: [
          { name: "A", value: "1" },
          { name: "A", value: "2" },
          { name: "A", value: "$(A)3" },
        ],
        resources: { requests: { memory: "100m" } },
        ports: [{ containerPort: 80, name: "http", hostIP: "1.1.1.1" }, { containerPort: 80 }],
      },
      { name: "d", image: "a", ports: [{ containerPort: 81, name: "http" }] },
    ],
  }),
  "a name that is no label": podWith({}, { name: "web.example.com" }),
  "with pods it is not near": podWith({
    affinity: {
      podAffinity: { [required]: [{ topologyKey: "z" }] },
      podAntiAffinity: { [preferred]: [{ weight: 1, podAffinityTerm: { topologyKey: "z" } }] },
    },
  }),
};

/** Pods to be created. */
export const podCases: Cases<JsonObject> = {
  ...containerCases,
  ...initCases,
  ...Object.fromEntries(Object.entries(volumeCases).map(([name, pod]) => [`a volume: ${name}`, pod])),
  ...specCases,
  ...Object.fromEntries(Object.entries(goodCases).map(([name, pod]) => [`good: ${name}`, pod])),
};

const deployment = (spec: JsonObject): JsonObject => ({ metadata: { name: "web" }, spec: { selector, template: template(), ...spec } });
const job = (spec: JsonObject, name = "work"): JsonObject => ({
  metadata: { name },
  spec: { template: template({ restartPolicy: "Never" }), ...spec },
});
const cron = (spec: JsonObject, name = "tick"): JsonObject => ({
  metadata: { name },
  spec: { schedule: "* * * * *", jobTemplate: { spec: { template: template({ restartPolicy: "Never" }) } }, ...spec },
});
const rolling = (rollingUpdate: JsonObject): JsonObject => ({ type: "RollingUpdate", rollingUpdate });

/** Workloads to be created, by kind. */
export const workloadCases: Cases<Cases<JsonObject>> = {
  "apps/v1/Deployment": {
    good: deployment({}),
    "good, with warnings": deployment({
      template: template(
        { nodeSelector: { "beta.kubernetes.io/arch": "a" } },
        { labels, annotations: { "container.apparmor.security.beta.kubernetes.io/c": "unconfined" } },
      ),
    }),
    "no selector": deployment({ selector: null }),
    "an empty selector": deployment({ selector: {} }),
    "a broken selector": deployment({ selector: { matchLabels: labels, matchExpressions: [{ key: "a", operator: "Is" }] } }),
    "a selector of values no label has": deployment({ selector: { matchLabels: { app: "a b" } } }),
    "a template it does not select": deployment({ template: template({}, { labels: { app: "other" } }) }),
    "a template without labels": deployment({ template: template({}, {}) }),
    "odd labels and annotations": deployment({
      template: template({}, { labels: { ...labels, "a b": "c" }, annotations: { "a b": "c" } }),
    }),
    "pods that end": deployment({ template: template({ restartPolicy: "Never", activeDeadlineSeconds: 5 }) }),
    "a template without containers": deployment({ template: template({ containers: [] }) }),
    "numbers below zero": deployment({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }),
    "a deadline that is too short": deployment({ minReadySeconds: 10, progressDeadlineSeconds: 10 }),
    "an unknown strategy": deployment({ strategy: { type: "Big<Bang>" } }),
    "a recreation that rolls": deployment({ strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }),
    "a rollout that does not move": deployment({ strategy: rolling({ maxSurge: 0, maxUnavailable: "0%" }) }),
    "a rollout in odd numbers": deployment({ strategy: rolling({ maxSurge: "x", maxUnavailable: "101%" }) }),
    "a rollout below zero": deployment({ strategy: rolling({ maxSurge: -1, maxUnavailable: 1 }) }),
    "ephemeral containers in the template": deployment({ template: template({ ephemeralContainers: [{ name: "e", image: "a" }] }) }),
    "ports of the host left open": deployment({
      template: template({ hostNetwork: true, containers: [{ name: "c", image: "a", ports: [{ containerPort: 80 }] }] }),
    }),
    "names that admission looks at in pods": deployment({
      template: template({ preemptionPolicy: "Always", priorityClassName: "A", runtimeClassName: "" }),
    }),
    "an image volume to be filled in": deployment({ template: template({ volumes: [{ name: "v", image: {} }] }) }),
  },
  "apps/v1/ReplicaSet": {
    good: deployment({}),
    "an empty selector": deployment({ selector: {} }),
    "no selector": deployment({ selector: null, replicas: -1 }),
    "pods that end": deployment({ template: template({ restartPolicy: "OnFailure", activeDeadlineSeconds: 5 }) }),
  },
  "apps/v1/StatefulSet": {
    good: deployment({
      serviceName: "web",
      volumeClaimTemplates: [
        { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
      ],
      template: template({ containers: [{ name: "c", image: "a", volumeMounts: [{ name: "data", mountPath: "/d" }] }] }),
    }),
    "good, with warnings": deployment({
      revisionHistoryLimit: -1,
      volumeClaimTemplates: [
        { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1500m" } } } },
      ],
    }),
    "unknown policies": deployment({
      podManagementPolicy: "Chaotic",
      updateStrategy: { type: "Never" },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Burn", whenScaled: "Retain" },
    }),
    "a strategy that contradicts": deployment({ updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } }),
    "a partition below zero": deployment({
      updateStrategy: rolling({ partition: -1 }),
      replicas: -1,
      minReadySeconds: -1,
      ordinals: { start: -1 },
    }),
    "claims that ask for nothing": deployment({ volumeClaimTemplates: [{ metadata: { name: "data" }, spec: {} }] }),
    "an odd service": deployment({ serviceName: "A.b" }),
    "no selector": deployment({ selector: null }),
    "an empty selector": deployment({ selector: {} }),
    "a broken selector": deployment({ selector: { matchExpressions: [{ key: "a", operator: "Is" }] } }),
    "names that are overwritten": deployment({ template: template({ hostname: "A_b", subdomain: "A_b" }) }),
    "odd annotations twice": deployment({
      template: template({}, { labels, annotations: { "controller.kubernetes.io/pod-deletion-cost": "+1" } }),
    }),
    "pods that end": deployment({ template: template({ restartPolicy: "Never", activeDeadlineSeconds: 5 }) }),
  },
  "apps/v1/DaemonSet": {
    good: deployment({}),
    "no selector": deployment({ selector: null }),
    "an empty selector": deployment({ selector: {} }),
    "an unknown strategy": deployment({ updateStrategy: { type: "Never" } }),
    "surge and gaps at once": deployment({ updateStrategy: rolling({ maxSurge: 1, maxUnavailable: 1 }) }),
    "neither surge nor gaps": deployment({ updateStrategy: rolling({ maxSurge: 0, maxUnavailable: 0 }) }),
    "more than all": deployment({ updateStrategy: rolling({ maxSurge: 0, maxUnavailable: "200%" }) }),
    "numbers below zero": deployment({
      minReadySeconds: -1,
      revisionHistoryLimit: -1,
      template: template({ restartPolicy: "Never", activeDeadlineSeconds: 5 }),
    }),
  },
  "apps/v1/ControllerRevision": {
    good: { metadata: { name: "r" }, revision: 1, data: { a: 1 } },
    "below zero": { metadata: { name: "r" }, revision: -1, data: { a: 1 } },
    "no data": { metadata: { name: "r" }, revision: 1 },
  },
  "/v1/ReplicationController": {
    good: { metadata: { name: "web" }, spec: { selector: labels, template: template() } },
    "selects by its template": { metadata: { name: "web" }, spec: { template: template() } },
    "no template": { metadata: { name: "web" }, spec: { selector: labels } },
    nothing: { metadata: { name: "web" }, spec: {} },
    "a template it does not select": {
      metadata: { name: "web" },
      spec: {
        replicas: -1,
        minReadySeconds: -1,
        selector: { a: "b" },
        template: template({ restartPolicy: "Never", activeDeadlineSeconds: 5 }),
      },
    },
  },
  "/v1/PodTemplate": {
    good: { metadata: { name: "t" }, template: template() },
    "no image": { metadata: { name: "t" }, template: template({ containers: [{ name: "c" }] }) },
  },
  "batch/v1/Job": {
    good: job({}),
    "good, with a deadline": job({ activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 0 }),
    indexed: job({
      completionMode: "Indexed",
      completions: 3,
      parallelism: 2,
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 1,
      successPolicy: { rules: [{ succeededIndexes: "0-1", succeededCount: 1 }] },
    }),
    "pods that run for ever": job({ template: template() }),
    "an unknown restart policy": job({ template: template({ restartPolicy: "Sometimes" }) }),
    "numbers below zero": job({
      parallelism: -1,
      completions: -1,
      activeDeadlineSeconds: -1,
      backoffLimit: -1,
      ttlSecondsAfterFinished: -1,
    }),
    "an unknown mode": job({ completionMode: "Random" }),
    "indexed without a number": job({ completionMode: "Indexed" }),
    "indexed beyond all": job({
      completionMode: "Indexed",
      completions: 200000,
      parallelism: 100001,
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 300000,
    }),
    "limits per index without indexes": job({ backoffLimitPerIndex: 1, maxFailedIndexes: 1 }),
    "failed indexes without a limit": job({ completionMode: "Indexed", completions: 1, maxFailedIndexes: 2 }),
    "a success policy without indexes": job({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
    "odd success policies": job({
      completionMode: "Indexed",
      completions: 3,
      successPolicy: {
        rules: [
          {},
          { succeededIndexes: "1,0" },
          { succeededIndexes: "0-9" },
          { succeededIndexes: "a" },
          { succeededIndexes: "0-1-2" },
          { succeededIndexes: "2-1" },
          { succeededCount: 9 },
          { succeededIndexes: "0", succeededCount: 2 },
        ],
      },
    }),
    "no success": job({ completionMode: "Indexed", completions: 3, successPolicy: { rules: [] } }),
    "odd failure policies": job({
      podFailurePolicy: {
        rules: [
          { action: "" },
          { action: "Panic", onExitCodes: { operator: "In", values: [0, 3, 2, 2] } },
          { action: "FailIndex", onPodConditions: [{ type: "a b", status: "Maybe" }] },
          {
            action: "Ignore",
            onExitCodes: { operator: "Is", values: [], containerName: "none" },
            onPodConditions: [{ type: "A", status: "True" }],
          },
        ],
      },
    }),
    "a failure policy with restarts": job({
      template: template({ restartPolicy: "OnFailure" }),
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] },
      podReplacementPolicy: "TerminatingOrFailed",
    }),
    "an unknown replacement policy": job({ podReplacementPolicy: "Never" }),
    "an odd manager": job({ managedBy: "nobody" }),
    "a manager with a long name": job({ managedBy: `example.com/${long(60)}` }),
    "a selector of its own": job({ selector: { matchLabels: { a: "b" } } }),
    "a selector by hand": job({ manualSelector: true, selector: { matchLabels: labels } }),
    "a selector by hand that selects nothing": job({ manualSelector: true }),
    "a name too long for its pods": job({ completionMode: "Indexed", completions: 1 }, long(63)),
    "a name that is no label": job({}, "a.b"),
  },
  "batch/v1/CronJob": {
    good: cron({}),
    "good, by name": cron({ schedule: "@every 1h30m", timeZone: "Europe/Berlin" }),
    "good, with names": cron({ schedule: "*/5 0-6,22-23 1,15 JAN-jun mon-FRI" }),
    ...Object.fromEntries(
      [
        "",
        "* * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 7",
        "5-1 * * * *",
        "*/0 * * * *",
        "1-2-3 * * * *",
        "1/2/3 * * * *",
        "a * * * *",
        "-1 * * * *",
        "@fortnightly",
        "@every x",
        "99999999999999999999 * * * *",
        "TZ=UTC * * * * *",
        "CRON_TZ=Mars/Base * * * * *",
        "TZ=0",
        "* * * * * *",
        "1.5 * * * *",
        "* * * foo *",
        "@hourly x",
        "? ? ? ? ?",
        "0,,5 * * * *",
      ].map((schedule) => [`the schedule ${JSON.stringify(schedule)}`, cron({ schedule })]),
    ),
    ...Object.fromEntries(
      [
        "",
        "Mars/Base",
        "Local",
        "local",
        "../etc",
        "UTC",
        "America/Argentina/Buenos_Aires",
        "europe/berlin",
        "Etc/GMT+5",
        "EST",
        "-a",
        "+05:00",
        "America/New York",
        "a//b",
      ].map((timeZone) => [`the time zone ${JSON.stringify(timeZone)}`, cron({ timeZone })]),
    ),
    "numbers below zero": cron({ startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
    "an unknown policy": cron({ concurrencyPolicy: "Maybe" }),
    "jobs with selectors": cron({
      jobTemplate: { spec: { manualSelector: true, selector: { matchLabels: labels }, template: template() } },
    }),
    "a long name": cron({}, long(53)),
    "a name that is no label": cron({}, "a.b"),
  },
};
