export { FileError, isFileError } from "./host.ts";
export type { FileErrorReason, Host, HostProgram, HostProgramResult } from "./host.ts";
export { accessFromKubeconfig } from "./kubeconfig/access.ts";
export type { KubeconfigAccessOptions } from "./kubeconfig/access.ts";
export type {
  ClusterAccess,
  Credentials,
  ExecConfig,
  Impersonation,
  OidcConfig,
  PemSource,
  SecretPemSource,
  Trust,
} from "./kubeconfig/cluster-access.ts";
export { findAccess } from "./kubeconfig/find-access.ts";
export type { FindAccessOptions } from "./kubeconfig/find-access.ts";
export { flattenKubeconfig } from "./kubeconfig/flatten.ts";
export { inClusterAccess, inClusterKubeconfig } from "./kubeconfig/in-cluster.ts";
export { inClusterNamespace, isInCluster } from "./kubeconfig/pod-account.ts";
export { KubeconfigError, isKubeconfigError } from "./kubeconfig/kubeconfig-error.ts";
export type { KubeconfigErrorReason } from "./kubeconfig/kubeconfig-error.ts";
export { parseKubeconfig, printKubeconfig } from "./kubeconfig/kubeconfig-text.ts";
export type { ParseKubeconfigOptions } from "./kubeconfig/kubeconfig-text.ts";
export { emptyKubeconfig, findEntry, isEmptyKubeconfig } from "./kubeconfig/kubeconfig.ts";
export type {
  ClusterEntry,
  ContextEntry,
  EntryOrigin,
  ExtensionEntry,
  Kubeconfig,
  KubeconfigAuthProvider,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigExec,
  KubeconfigExecVariable,
  KubeconfigPreferences,
  KubeconfigUser,
  UserEntry,
} from "./kubeconfig/kubeconfig.ts";
export { kubeconfigFiles, loadKubeconfig } from "./kubeconfig/load.ts";
export type { KubeconfigFiles, KubeconfigSource, LoadKubeconfigOptions } from "./kubeconfig/load.ts";
export { mergeKubeconfigs } from "./kubeconfig/merge.ts";
export { minifyKubeconfig } from "./kubeconfig/minify.ts";
export { selectContext } from "./kubeconfig/overrides.ts";
export type { ContextSelection, KubeconfigOverrides } from "./kubeconfig/overrides.ts";
export { redactKubeconfig } from "./kubeconfig/redact.ts";
export { resolveKubeconfigPaths } from "./kubeconfig/resolve-paths.ts";
export { validateKubeconfig, validateSelection } from "./kubeconfig/validate.ts";
export {
  deleteCluster,
  deleteContext,
  deleteUser,
  renameContext,
  setCluster,
  setContext,
  setCredentials,
  useContext,
} from "./kubeconfig/write.ts";
export type { FieldChanges } from "./kubeconfig/write.ts";
export { decodeBody, decodeResponse, readAnswer, responseError } from "./rest/decode.ts";
export type { DecodeOptions, ReadResponseOptions, ReadResponse } from "./rest/decode.ts";
export { listAll, listItems, listPages } from "./rest/pager.ts";
export type { ListPage, PageSource, PagerOptions } from "./rest/pager.ts";
export { ResponseError, isResponseError } from "./rest/response-error.ts";
export type { RequestAbout, ResponseErrorReason } from "./rest/response-error.ts";
export { noWarnings, parseWarnings, warningLogger } from "./transport/warning-header.ts";
export type { Warning, WarningHandler } from "./transport/warning-header.ts";
export { WatchSilenceError, isWatchSilenceError, defaultSilenceMs, watchLineBatches, watchLines } from "./rest/watch-lines.ts";
export type { LineBatch, WatchLinesOptions } from "./rest/watch-lines.ts";
export { watchEventError, watchStream } from "./rest/watch-stream.ts";
export type { WatchStreamOptions } from "./rest/watch-stream.ts";
export { only } from "./verbs/apply-object.ts";
export type { ApplyObject, DeepPartial, OwnedFields } from "./verbs/apply-object.ts";
export type {
  ApplyOptions,
  CallOptions,
  InNamespace,
  ListAllOptions,
  ListPageOptions,
  NamespaceOption,
  NoNamespaceOption,
  ReadOptions,
  RemoveCollectionOptions,
  RemoveOptions,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from "./verbs/call-options.ts";
export { createClient } from "./verbs/client.ts";
export type { Client } from "./verbs/client.ts";
export type { ClientOptions } from "./verbs/client-options.ts";
export type { AnyCreatePlace, AnyPlace, DynamicClient, Unstructured } from "./verbs/dynamic-client.ts";
export type { MetadataClient } from "./verbs/metadata-client.ts";
export type { AnyPatch, MergePatch, Patch, StrategicPatch } from "./verbs/patch-body.ts";
export type { ResourceClient, ResourceVerbs } from "./verbs/resource-client.ts";
export { allNamespaces, placeOf, targetOf } from "./verbs/resource-target.ts";
export type { Place, ResourceTarget } from "./verbs/resource-target.ts";
export { retryOnConflict, updateWithRetry } from "./verbs/retry-on-conflict.ts";
export type { RetryOnConflictOptions, UpdateWithRetryOptions } from "./verbs/retry-on-conflict.ts";
export { fieldSelectorText, labelSelectorText } from "./verbs/selection.ts";
export type { FieldSelection, LabelSelection } from "./verbs/selection.ts";
export type { AskClient, Asked, BindingClient, LogClient, PartClient, SubresourceTable, Subresources } from "./verbs/subresources.ts";
export type { ResourceTable, TableClient, TableOptions } from "./verbs/table-client.ts";
export { conditionIs, conditionTrue, deleted, deletedUid, exists } from "./verbs/wait-condition.ts";
export type { WaitCondition } from "./verbs/wait-condition.ts";
export { waitFor } from "./verbs/wait-for.ts";
export { basicSource } from "./auth/basic.ts";
export { CredentialError, isCredentialError } from "./auth/credential-error.ts";
export type { CredentialErrorOptions, CredentialErrorReason } from "./auth/credential-error.ts";
export type { CredentialSource } from "./auth/credential-source.ts";
export { credentialSource } from "./auth/credentials.ts";
export type { CredentialDeps } from "./auth/credentials.ts";
export { execSource } from "./auth/exec.ts";
export type { ExecSourceOptions } from "./auth/exec.ts";
export { impersonate, impersonationHeaders } from "./transport/impersonation.ts";
export { oidcSource } from "./auth/oidc.ts";
export type { OidcSourceOptions } from "./auth/oidc.ts";
export type { PemFileOptions } from "./auth/pem-file.ts";
export type { PairCheck } from "./encoding/pem.ts";
export { staticTokenSource } from "./auth/static-token.ts";
export { tokenFileSource } from "./auth/token-file.ts";
export type { TokenFileSourceOptions } from "./auth/token-file.ts";
export type { TransportTo } from "./auth/transport-to.ts";
export { authenticate } from "./transport/authenticate.ts";
export { clusterTransport } from "./transport/cluster-transport.ts";
export type { ClusterTransport, ClusterTransportDeps } from "./transport/cluster-transport.ts";
export { callDeadline } from "./transport/deadline.ts";
export type { CallDeadlineOptions } from "./transport/deadline.ts";
export type { DialOptions } from "./transport/dial-options.ts";
export { guardedBody, isWhole as isWholeBody } from "./transport/guarded-body.ts";
export { nodeTransport } from "./transport/node-transport.ts";
export type { NodeTransport } from "./transport/node-transport.ts";
export type { NodeTransportOptions } from "./transport/node-transport-options.ts";
export { pathTemplate } from "./transport/path-template.ts";
export { proxyFromRules } from "./transport/proxy-target.ts";
export type { ProxyRules } from "./transport/proxy-target.ts";
export { requestMetrics } from "./transport/request-metrics.ts";
export type { RequestMetricsOptions } from "./transport/request-metrics.ts";
export { attemptOf as requestAttempt, isSafe as isSafeRequest } from "./transport/request-nature.ts";
export { retry as retryRequests } from "./transport/retry.ts";
export type { RetryOptions } from "./transport/retry.ts";
export { throttle } from "./transport/throttle.ts";
export type { ThrottleOptions } from "./transport/throttle.ts";
export type { TlsSettings, TlsSource } from "./transport/tls-settings.ts";
export { trace } from "./transport/trace.ts";
export type { TraceOptions, TracedOutcome, TracedRequest } from "./transport/trace.ts";
export { TransportError, isTransportError } from "./transport/transport-error.ts";
export type { TransportErrorReason, TransportFailure, TransportTimeout } from "./transport/transport-error.ts";
export type { TransportLimits } from "./transport/transport-limits.ts";
export { formatUserAgent, userAgent } from "./transport/user-agent.ts";
export type { ProgramName } from "./transport/user-agent.ts";
export { eachWarningOnce, warnings } from "./transport/warnings.ts";
export type { EachWarningOnceOptions } from "./transport/warnings.ts";
export { wrap } from "./transport/wrapper.ts";
export type { TransportWrapper } from "./transport/wrapper.ts";
export { writeOutcome } from "./transport/write-outcome.ts";
export { tlsSource } from "./transport/tls-source.ts";
export type { TlsSourceDeps } from "./transport/tls-source.ts";
export { nodeWebSocket } from "./transport/node-web-socket.ts";
export type { NodeWebSocketOptions } from "./transport/node-web-socket.ts";
export { attach, exec } from "./streams/command-run.ts";
export type { OutputSink, OutputSinks } from "./streams/command-run.ts";
export { forwardConnections } from "./streams/forward-connections.ts";
export type { ForwardConnectionsOptions } from "./streams/forward-connections.ts";
export { logs } from "./streams/logs.ts";
export type { LogResume, PodLogOptions } from "./streams/logs.ts";
export { portForward } from "./streams/port-forward.ts";
export type { ByteConnection, PortForwardOptions } from "./streams/port-forward.ts";
export { parsePortSpec } from "./streams/port-spec.ts";
export type { PortSpec } from "./streams/port-spec.ts";
export { attachEvents, execEvents } from "./streams/remote-command.ts";
export type { AttachOptions, CommandEvent, ExecOptions, TerminalSize } from "./streams/remote-command.ts";
export { StreamError, isStreamError } from "./streams/stream-error.ts";
export type { StreamErrorReason } from "./streams/stream-error.ts";
export { UpgradeRefusedError, isUpgradeRefusedError } from "./streams/web-socket.ts";
export type { WebSocketChannel, WebSocketClose, WebSocketConnect, WebSocketMessage, WebSocketRequest } from "./streams/web-socket.ts";
export { decodeAggregatedDiscovery, isAggregatedDiscovery } from "./discovery/aggregated-discovery.ts";
export type { ApiGroup, ApiResource, ApiResourceList, ApiSubresource, Discovered, DiscoveryFailure } from "./discovery/api-group.ts";
export { CachedDiscovery } from "./discovery/cached-discovery.ts";
export { kindFromResource } from "./discovery/discovered-kind.ts";
export { DiscoveryClient } from "./discovery/discovery-client.ts";
export type { DiscoveryClientOptions } from "./discovery/discovery-client.ts";
export {
  DiscoveryDocumentError,
  isDiscoveryDocumentError,
  GroupDiscoveryFailedError,
  isGroupDiscoveryFailed,
  isStaleGroupVersionError,
  requireComplete,
  StaleGroupVersionError,
} from "./discovery/discovery-error.ts";
export type { DiscoveryInterface, PreferredResources } from "./discovery/discovery-interface.ts";
export type { DocumentRequestOptions } from "./discovery/document-request.ts";
export { DynamicMapper } from "./discovery/dynamic-mapper.ts";
export type { DynamicMapperOptions, MappingOptions } from "./discovery/dynamic-mapper.ts";
export { decodeApiGroup, decodeApiGroupList, decodeApiResourceList, decodeApiVersions } from "./discovery/legacy-discovery.ts";
export { OpenApiClient } from "./discovery/openapi-client.ts";
export type { OpenApiPath, OpenApiPaths } from "./discovery/openapi-client.ts";
export { OpenApiSchemas } from "./discovery/openapi-schemas.ts";
export type { ObjectSchema } from "./discovery/openapi-schemas.ts";
export { filterResources, preferredResources, supportsAllVerbs } from "./discovery/preferred-resources.ts";
export { ScaleKindResolver } from "./discovery/scale-kind.ts";
export type { ServerVersion } from "./discovery/server-version.ts";
export { validateObject } from "./discovery/validate-object.ts";
export type { ValidateObjectOptions } from "./discovery/validate-object.ts";

// Building blocks for other clients, such as @drover/client-go
export { withItemKinds, withKind } from "./verbs/filled-kind.ts";
export { mappedIterator } from "./verbs/mapped-iterator.ts";
export { bytesOf, isFailure, readResponse, readResponseError } from "./rest/decode.ts";
export { unanswered } from "./rest/response-error.ts";
export { timedOut } from "./transport/timed-out.ts";
export type { TimedOutCall } from "./transport/timed-out.ts";
export { handleWarnings } from "./transport/warning-header.ts";
export { firstHeader } from "./transport/header-lines.ts";
export { trackSent, whileUnsent } from "./transport/request-sent.ts";
export { fullBucket, returnToken, takeToken } from "./transport/token-bucket-state.ts";
export type { TokenBucket } from "./transport/token-bucket-state.ts";
