import type { ProblemArea } from "../problem.ts";

const doctor = "`drover doctor` checks file, context, name, port, certificate, clock and credentials one by one.";

export const access: ProblemArea = {
  title: "Start: credentials, permissions, definitions",
  problems: [
    {
      code: "DRV0330",
      title: "The credentials in the kubeconfig cannot work",
      means: "The configuration of the user entry is wrong; retrying does not help.",
      causes: [
        "Two kinds of credentials in one entry.",
        "An exec plugin without `apiVersion`, or one that needs a terminal.",
        "An OIDC entry without issuer or client id.",
      ],
      find: [doctor, "`kubectl config view --minify` shows the entry without its secrets."],
      fixes: ["Correct the entry as the message says, or let the tool of your provider write it anew."],
    },
    {
      code: "DRV0331",
      title: "A credential could not be obtained",
      means:
        "A file, program or issuer did not provide a token or certificate this time. Drover keeps the old one while it is valid, and tries again.",
      causes: [
        "The exec plugin is not installed, or not on the PATH of this process; services and editors have another PATH than your shell.",
        "Its own login has expired: `aws sso login`, `gcloud auth login`, `az login`.",
        "The issuer of OIDC tokens does not answer.",
        "A token file is missing.",
      ],
      find: [
        "Run the command of the entry by hand: `kubectl config view --minify -o jsonpath='{.users[0].user.exec}'`.",
        "`error.output` has what the plugin printed.",
      ],
      fixes: ["Install the plugin or use its absolute path, and log in again."],
    },
    {
      code: "DRV0332",
      title: "A credential is malformed",
      means: "A file, program or issuer returned something that cannot be used as a credential.",
      causes: [
        "A token file is empty or contains several lines.",
        "The plugin prints logs to standard output, or another version of ExecCredential than the entry asks for.",
        "A key is encrypted, or does not match its certificate.",
      ],
      find: ["The message names the source. Run the plugin by hand and read what it prints."],
      fixes: ["Correct the source: one token per file, PEM without passphrase, `apiVersion` as the plugin prints it."],
    },
    {
      code: "DRV0333",
      title: "The server does not accept the credentials",
      means: "The server answered 401: it does not know who is asking. This is not a missing permission, which is 403.",
      causes: [
        "The token or client certificate has expired, or the service account was deleted and created again.",
        "It belongs to another cluster.",
        "The clock of the server or of this machine is wrong.",
      ],
      find: ["`drover doctor`, and `kubectl auth whoami`."],
      fixes: ["Renew it: log in again, or restart the pod. Token files are read again by themselves."],
    },
    {
      code: "DRV0340",
      title: "The clock of this machine differs from the server's",
      means:
        "The Date header of the server and this clock differ by more than a minute. Tokens and certificates may seem expired or not yet valid. Leases are not affected, they use durations; coordinated leader election is.",
      causes: ["Time synchronisation is off, or a virtual machine was suspended."],
      find: ["The field `skewMs` of the line. `timedatectl` on both machines."],
      fixes: ["Enable NTP on the machine that is wrong."],
    },
    {
      code: "DRV0341",
      title: "Credentials are not sent, because the server uses no TLS",
      means: "The server's address begins with http. A token or password would be readable on the network, so requests are anonymous.",
      causes: ["`kubectl proxy` or a test server, which need none.", "A kubeconfig with a wrong scheme."],
      find: ["The fields `server` and `user` of the line."],
      fixes: ["Use https. For a server that needs no credentials remove them from the user entry."],
    },
    {
      code: "DRV0342",
      title: "The certificate authorities of the cluster are missing in the pod",
      means:
        "`ca.crt` of the service account is not there, so the authorities of the system are trusted. The handshake usually fails next.",
      causes: [
        "A hand-written projected volume without `kube-root-ca.crt`.",
        "The ConfigMap `kube-root-ca.crt` was deleted from the namespace.",
      ],
      find: ["`kubectl exec POD -- ls /var/run/secrets/kubernetes.io/serviceaccount`"],
      fixes: ["Use the volume that Kubernetes mounts, or add the ConfigMap to the projection."],
    },
    {
      code: "DRV0350",
      title: "The operator lacks permissions",
      means:
        "Before it starts, the operator asks the server whether it may do all that it declares. It may not, so it does not start half.",
      causes: [
        "The roles were written by hand, and a controller, kind or slot was added since.",
        "The binding names another service account or namespace.",
        "The operator watches all namespaces, and has a Role instead of a ClusterRole.",
      ],
      find: [
        "The message lists what is missing, with the YAML that grants it.",
        "`kubectl auth can-i VERB RESOURCE --as system:serviceaccount:NAMESPACE:NAME`",
      ],
      fixes: [
        "`kubectl apply` the YAML of the message, or of `app.roles()`, and generate it in the release instead of writing it.",
        "`drover doctor --rules FILE` checks it before the operator is deployed.",
      ],
    },
    {
      code: "DRV0351",
      title: "The permissions could not be checked",
      means: "The server did not answer a SelfSubjectAccessReview. The operator starts; a missing permission shows as Forbidden later.",
      causes: ["The server has no authorization API, or a proxy blocks it.", "The server was restarting."],
      find: ["`kubectl auth can-i list pods`"],
      fixes: [
        "Nothing if it is a test server; else allow `create` on `selfsubjectaccessreviews`, which every authenticated user has by default.",
      ],
    },
    {
      code: "DRV0352",
      title: "The definition cannot be updated, the installed one is used",
      means:
        "The operator may not write CustomResourceDefinitions. The kind is served, so it starts; fields that only its own definition has are dropped by the server.",
      causes: ["Definitions are installed by an administrator or by Helm, by intent."],
      find: ["`kubectl get crd NAME -o yaml` compared with `Kind.definition()`."],
      fixes: [
        "Install the definition of this release before the operator, and set `install: false` to say so.",
        "Or grant what `app.roles()` prints.",
      ],
    },
  ],
};
