/** What `writeStruct` observes while it walks a value. */
export interface Tally {
  /** Number of keys of all objects. */
  keys: number;
  /** Whether a value did not fit its type. */
  surprised: boolean;
  /** Whether there was a list of integers. */
  listedIntegers: boolean;
  /** Whether there was a quantity. */
  quantities: boolean;
  /** Whether an empty map was left out. */
  emptiedMap: boolean;
  /** Whether the value is written for the store, which cannot tell an empty list or map from none. */
  readonly isStoring: boolean;
}

/** Returns an empty tally. */
export const newTally = ({ isStoring = false }: { readonly isStoring?: boolean } = {}): Tally => ({
  keys: 0,
  surprised: false,
  listedIntegers: false,
  quantities: false,
  emptiedMap: false,
  isStoring,
});
