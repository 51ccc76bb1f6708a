/** In place of TanStack Query's part for lists that grow: no page has one, and every page would load it. */
function leftOut(): never {
  throw new Error('The build leaves infinite queries out');
}

export { leftOut as hasNextPage, leftOut as hasPreviousPage, leftOut as infiniteQueryBehavior };
