import type { ProblemArea } from "../problem.ts";

const doctor = "`drover doctor` checks file, context, name, port, certificate, clock and credentials one by one.";

export const connections: ProblemArea = {
  title: "Start: connection",
  problems: [
    {
      code: "DRV0310",
      title: "The server refused the connection",
      means:
        "The machine answered, and nothing listens at the port. Drover retries while it runs; at the start it waits up to two minutes.",
      causes: [
        "The cluster is stopped: minikube, kind, `drover up`.",
        "A restarted local cluster has another port.",
        "A tunnel or port-forward has ended.",
        "In a pod: the API server restarts.",
      ],
      find: [doctor, "`curl -k SERVER/version`, with the server of `kubectl config view --minify`."],
      fixes: ["Start the cluster, or take the kubeconfig that its tool writes anew, for example `kind export kubeconfig`."],
    },
    {
      code: "DRV0311",
      title: "The server cannot be reached",
      means: "No answer to the attempt to connect, or no route to the host.",
      causes: [
        "A VPN is down, or a firewall drops the packets.",
        "A private address of a cluster that is reached from elsewhere.",
        "In a pod: a NetworkPolicy forbids egress to the API server.",
        "This machine has no free local ports or file descriptors left.",
      ],
      find: [doctor, "`curl -v --connect-timeout 5 SERVER/version` from the same machine or pod.", "`kubectl get networkpolicy -A`."],
      fixes: [
        "Connect the VPN, or open the port.",
        "NetworkPolicy: allow egress to the address in `kubectl get endpointslices -n default -l kubernetes.io/service-name=kubernetes`.",
      ],
    },
    {
      code: "DRV0312",
      title: "The name of the server cannot be resolved",
      means: "The name server knows no address for the host in the kubeconfig, or does not answer.",
      causes: [
        "A typing error, or a deleted cluster: managed clusters get a new name each time.",
        "A private name that only a VPN or the network of the cluster resolves.",
        "In a pod: the DNS of the cluster is down, or `dnsPolicy` is wrong.",
      ],
      find: [doctor, "`getent hosts NAME`, and `cat /etc/resolv.conf` in a container."],
      fixes: [
        "Correct the server, connect the VPN, or repair DNS. In a pod `kubernetes.default.svc` is not needed: Drover uses the address in `KUBERNETES_SERVICE_HOST`.",
      ],
    },
    {
      code: "DRV0313",
      title: "The server did not answer in time",
      means:
        "A connection was opened, and a limit ran out: `timeout` of the error says which. Reads are retried. Of a write it is unknown whether it happened.",
      causes: [
        "The API server or its etcd is overloaded.",
        "A webhook or an aggregated API that the request passes through hangs.",
        "A proxy or load balancer keeps the connection and forwards nothing.",
      ],
      find: [
        "`kubectl get --raw /readyz?verbose` lists parts of the server that are not ready.",
        "`kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations` and their `timeoutSeconds`.",
        "`drover requests` shows which requests of an operator take long.",
      ],
      fixes: [
        "Repair what `readyz` names.",
        "Ask for less: pages, label selectors, metadata only.",
        "Raise `timeoutMs` of the connection, after the cause is known.",
      ],
    },
    {
      code: "DRV0314",
      title: "The certificate of the server is not trusted",
      means: "The TLS handshake failed: the certificate is not signed by an authority in the kubeconfig. Credentials were not sent.",
      causes: [
        "The kubeconfig is of another cluster, or of an earlier one at the same address; every `drover up` without `--data` has a new authority.",
        "A proxy that inspects TLS presents its own certificate.",
        "`certificate-authority` is missing, and the authority is not one of the system.",
      ],
      find: [
        doctor,
        "`openssl s_client -connect HOST:PORT -showcerts </dev/null | openssl x509 -noout -issuer -dates`, compared with the authority of the kubeconfig.",
      ],
      fixes: [
        "Take the current kubeconfig of the cluster.",
        "Add the authority of the proxy to `certificate-authority`.",
        "Do not set `insecure-skip-tls-verify`: it gives your credentials to any machine on the way.",
      ],
    },
    {
      code: "DRV0315",
      title: "The certificate of the server is expired or not yet valid",
      means: "By the clock of this machine the certificate is outside of its validity. Credentials were not sent.",
      causes: [
        "The certificate was not renewed: those of kubeadm last a year.",
        "The clock of one of the machines is wrong, often after a virtual machine was suspended.",
      ],
      find: [
        "`drover doctor` prints the validity, and compares the clock with the server's.",
        "`kubeadm certs check-expiration` on the control plane.",
      ],
      fixes: [
        "`kubeadm certs renew all`, and restart the control plane.",
        "Set the clock: `timedatectl`, `wsl --shutdown`, a restart of Docker's machine.",
      ],
    },
    {
      code: "DRV0316",
      title: "The certificate of the server is for another name",
      means: "The certificate is trusted, but does not list the host that the kubeconfig names. Credentials were not sent.",
      causes: [
        "The server is addressed through a tunnel, a load balancer or an address that was added later.",
        "`localhost` instead of `127.0.0.1`, or the other way round.",
      ],
      find: ["`openssl s_client -connect HOST:PORT </dev/null | openssl x509 -noout -ext subjectAltName`"],
      fixes: [
        "Use a listed name in `server`, or keep the address and set `tls-server-name` of the cluster entry to a listed name.",
        "Or add the name to the certificate: `--tls-san` of k3s, `apiServer.certSANs` of kubeadm.",
      ],
    },
    {
      code: "DRV0317",
      title: "The port does not speak TLS",
      means: "The server answered the handshake with something else, usually plain HTTP.",
      causes: ["`https://` in the address of an HTTP port, such as that of `kubectl proxy`.", "The port of another program."],
      find: ["`curl -v http://HOST:PORT/version`"],
      fixes: ["Correct scheme or port of `server` in the kubeconfig. Over `http://` Drover sends no credentials."],
    },
    {
      code: "DRV0318",
      title: "The server does not accept our client certificate",
      means: "The handshake ended because of the client certificate of the kubeconfig, before any request.",
      causes: [
        "It has expired: `kubectl` prints Unauthorized, a proxy ends the handshake.",
        "It is signed by the authority of another cluster.",
        "The server requires one, and the kubeconfig has none.",
      ],
      find: [
        "`drover doctor` prints its validity.",
        "`kubectl config view --raw --minify -o jsonpath='{.users[0].user.client-certificate-data}' | base64 -d | openssl x509 -noout -subject -dates`",
      ],
      fixes: ["Fetch a new kubeconfig, for example with `kubeadm kubeconfig user`, or renew the certificate."],
    },
    {
      code: "DRV0319",
      title: "The proxy refused or failed",
      means: "The request goes through `proxy-url` of the kubeconfig or `HTTPS_PROXY`, and the proxy did not open the connection.",
      causes: [
        "The proxy is down, or requires credentials.",
        "It does not allow CONNECT to this port.",
        "A cluster inside of the network is addressed through a proxy for the outside.",
      ],
      find: ["`env | grep -i proxy`, and `proxy-url` in the kubeconfig.", "`curl -v -x PROXY SERVER/version`"],
      fixes: ["Add the server to `NO_PROXY`, or correct the proxy's address."],
    },
    {
      code: "DRV0320",
      title: "The answer is not HTTP",
      means: "Something else than an API server listens at the port, or a middlebox damages the stream.",
      causes: ["The port belongs to another program, or speaks only HTTP/2 without negotiation.", "The headers are larger than allowed."],
      find: ["`curl -v SERVER/version`"],
      fixes: ["Correct the port in the kubeconfig."],
    },
    {
      code: "DRV0321",
      title: "The connection broke",
      means:
        "The server or something between ended the connection during a request. Reads and watches are retried; watches resume where they were.",
      causes: [
        "The API server restarts; this is normal during upgrades.",
        "A load balancer closes connections that are idle for some minutes.",
        "An answer was cut by a proxy with a size limit.",
      ],
      find: [
        "`kubectl get --raw /readyz`, and restarts of `kube-apiserver` in `kubectl get pods -n kube-system`.",
        "If it happens at regular intervals, compare them with the idle timeout of the load balancer.",
      ],
      fixes: ["Nothing, if it is rare.", "Raise the idle timeout above five minutes: watches send bookmarks about once a minute."],
    },
    {
      code: "DRV0323",
      title: "The server answered with something else than JSON",
      means: "An answer was expected from the API server and came, usually as a web page, from something in front of it.",
      causes: [
        "A login page of an identity-aware proxy or a captive portal.",
        "An error page of a load balancer: 502, 503, 504.",
        "`server` in the kubeconfig lacks a path, for example that of Rancher.",
      ],
      find: ["The message quotes the beginning of the answer.", "`curl -i SERVER/version`"],
      fixes: ["Log in to the proxy, correct `server`, or use an address that leads to the API server itself."],
    },
    {
      code: "DRV0324",
      title: "The answer is not valid JSON",
      means: "The answer says that it is JSON and cannot be read, or holds another object than was asked for.",
      causes: ["An aggregated API server or a proxy is broken.", "The stream was damaged or cut."],
      find: [
        "`kubectl get --raw PATH | head -c 300` with the path of the message.",
        "`kubectl get apiservices` lists aggregated APIs that are not available.",
      ],
      fixes: ["Repair or remove the APIService. If it is Drover that is wrong, report it with the answer."],
    },
  ],
};
