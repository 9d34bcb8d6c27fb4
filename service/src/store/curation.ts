/** What a decision of the operator did. `missing`: there is nothing that it could be about. */
export type CurationOutcome = 'changed' | 'unchanged' | 'missing'
