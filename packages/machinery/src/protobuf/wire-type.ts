/** Wire types of fields: the three lowest bits of a tag. */

export const varintType = 0;
export const fixed64Type = 1;
export const bytesType = 2;
export const startGroupType = 3;
export const endGroupType = 4;
export const fixed32Type = 5;
