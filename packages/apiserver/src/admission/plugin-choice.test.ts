import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import { admissionPluginProblem, chosenPlugins } from "./plugin-choice.ts";

/** AllOrderedPlugins of kube-apiserver 1.36. */
const upstream =
  "AlwaysAdmit NamespaceAutoProvision NamespaceLifecycle NamespaceExists LimitPodHardAntiAffinityTopology LimitRanger ServiceAccount NodeRestriction TaintNodesByCondition AlwaysPullImages ImagePolicyWebhook PodSecurity PodNodeSelector Priority DefaultTolerationSeconds PodTolerationRestriction EventRateLimit ExtendedResourceToleration DefaultStorageClass StorageObjectInUseProtection PodGroupProtection OwnerReferencesPermissionEnforcement PersistentVolumeClaimResize RuntimeClass CertificateApproval CertificateSigning ClusterTrustBundleAttest CertificateSubjectRestriction DefaultIngressClass DenyServiceExternalIPs PodTopologyLabels PodGroupWorkloadExists NodeDeclaredFeatureValidator JobValidation PodResizeValidator MutatingAdmissionPolicy MutatingAdmissionWebhook ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota AlwaysDeny".split(
    " ",
  );

describe("the choice of admission plug-ins", () => {
  it("leaves out what is disabled, and keeps the order", () => {
    const all = chosenPlugins({});
    expect(all[0]).toBe("NamespaceLifecycle");
    expect(chosenPlugins({ disable: ["Priority"] })).toEqual(all.filter((name) => name !== "Priority"));
    expect(chosenPlugins({ enable: ["Priority"] })).toEqual(all);
    expect(chosenPlugins({ enable: ["AlwaysDeny", "AlwaysAdmit"] })).toEqual(["AlwaysAdmit", ...all, "AlwaysDeny"]);
  });

  it("has the order of kube-apiserver, and an answer to each of its names", () => {
    const known = upstream.filter((name) => admissionPluginProblem({ enable: [name] }, { enable: "e", disable: "d" }) === undefined);
    expect(chosenPlugins({ enable: known })).toEqual(known);
    for (const name of upstream.filter((each) => !known.includes(each)))
      expect(admissionPluginProblem({ enable: [name] }, { enable: "e", disable: "d" })).toMatch(
        new RegExp(`^e: ${name} (?:cannot run here: it needs|is a plug-in of kube-apiserver that is not implemented here)`),
      );
    expect(known.length).toBeGreaterThan(30);
  });

  it("refuses unknown names and names on both lists", () => {
    expect(() => chosenPlugins({ enable: ["Nope"] })).toThrow('admissionPlugins.enable: unknown plug-in "Nope"; known are AlwaysAdmit, ');
    expect(() => chosenPlugins({ disable: ["constructor"] })).toThrow('admissionPlugins.disable: unknown plug-in "constructor"');
    expect(() => chosenPlugins({ enable: ["Priority"], disable: ["Priority"] })).toThrow(
      "Priority is in both admissionPlugins.enable and admissionPlugins.disable; remove it from one of them",
    );
    expect(() => chosenPlugins({ enable: ["EventRateLimit"] })).toThrow("EventRateLimit cannot run here: it needs limits");
  });

  it("decides what a server does", async () => {
    const { call, close } = await testServer({ admissionPlugins: { disable: ["NamespaceLifecycle"] } });
    expect((await call("POST", "/api/v1/namespaces/nowhere/configmaps", { metadata: { name: "c" } })).status).toBe(201);
    close();
  });
});
