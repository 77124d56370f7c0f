/**
 * The door for people who know Wrangler: its factories, handlers, apply and helpers under their names, made of the same parts as the rest of the
 * house. What Lasso has is behind `drover/lasso`.
 */
export {
  cond, crd, crdObjects, data, ErrNoInformerFound, ErrOwnerNotFound, ErrSkip, guessPluralName, keep, kstatus, newApply, newCrdFactory, newFactory, newGenericCache,
  newObjectSet, newRemoveHandler, newTrigger, ObjectSet, printCRDs, registerGeneratingHandler, registerStatusHandler, relatedresource, safeConcatName, StatusError,
  summarize,
} from "@drover/patterns";
export type {
  AllHandler, AnyCondition, AnyDefinition, Apply, CacheInterface, CacheType, CallContext, ClientInterface, ClusterScopedEnqueuer, Cond, ConditionForm, ConditionStatement,
  CondOptions, ControllerInterface, ControllerMeta, CRD, CrdFactory, CrdFactoryOptions, CrdPackage, Data, Enqueuer, Factory, FactoryOptions, Generated,
  GeneratingHandler, GeneratingHandlerOptions, GenericCondition, Injector, Kept, Key, Kstatus, NameArguments, NamespaceArguments, NewApplyOptions,
  OnRemoveOptions, Plan, ReferenceChoice, RelatedResource, RemoveHandler, Resolver, ScalePaths, StatusHandler, StatusOf, Summary, TimeSource, Trigger, Until, Updater,
  Watched, WithStatus,
} from "@drover/patterns";
