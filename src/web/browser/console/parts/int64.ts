/** Whether a number can be an id: those of the service have 64 bits. */
export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;
