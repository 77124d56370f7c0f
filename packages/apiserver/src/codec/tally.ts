/** What is noticed on the way through a value. */
export interface Tally {
  /** How many keys were met, of objects of every kind. */
  keys: number;
  /** Whether something did not fit. */
  surprised: boolean;
  /** Whether there was a list of whole numbers. */
  listedIntegers: boolean;
  /** Whether there was a quantity. */
  quantities: boolean;
  /** Whether the value is to be stored, which cannot tell an empty list or map from none. */
  readonly isStoring: boolean;
}

/** A tally of nothing yet. */
export const newTally = ({ isStoring = false }: { readonly isStoring?: boolean } = {}): Tally => ({
  keys: 0,
  surprised: false,
  listedIntegers: false,
  quantities: false,
  isStoring,
});
