import {
  keepPreviousData,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/preact-query"
import { type Answer, call, type Input, type OperationId, Refusal } from "./client"

const RETRIES_MAX = 4
const FRESH_MS = 5_000

/** A read is repeated by itself while a part of the server is unavailable. Refusals are final. */
const isTransient = (error: unknown) =>
  error instanceof Refusal && (error.status === 0 || error.status === 503)
const delayOf = (attempt: number, error: unknown) => {
  const seconds = error instanceof Refusal ? error.retry_after_seconds : 0
  return Math.max(seconds * 1_000, 300 * 2 ** attempt)
}
const repeats = {
  retry: (count: number, error: unknown) => isTransient(error) && count < RETRIES_MAX,
  retryDelay: delayOf,
}

export const cache = new QueryClient({
  defaultOptions: {
    queries: { ...repeats, staleTime: FRESH_MS, placeholderData: keepPreviousData },
  },
})

export type Poll = { poll_ms?: number; isEnabled?: boolean }

/**
 * The reply of a read, from the cache while it is fresh. Old rows stay while new ones come. What it
 * has is read here: a change of what was not read yet would not be shown, even if a part that
 * appears later reads it.
 */
export function useAnswer<Id extends OperationId>(
  id: Id,
  input: Input<Id> = {},
  { poll_ms, isEnabled = true }: Poll = {},
) {
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: [id, input],
    queryFn: ({ signal }) => call(id, input, signal),
    refetchInterval: poll_ms,
    enabled: isEnabled,
  })
  return { data, error, isPending, isPlaceholderData, refetch }
}

type StepOptions<Id extends OperationId> = {
  /** It may be repeated by itself when the outcome is unknown: the same call again changes nothing. */
  isRepeatable?: true
  onDone?(answer: Answer<Id>, input: Input<Id>): void
}

/**
 * A write, begun by `take(input)`. When it is done, all reads on screen are repeated. A refusal
 * is in `error`; show it with <Trouble>.
 */
export function useStep<Id extends OperationId>(id: Id, options: StepOptions<Id> = {}) {
  const client = useQueryClient()
  const { mutate, mutateAsync, error, isPending, reset, data } = useMutation({
    mutationFn: (input: Input<Id>) => call(id, input),
    ...(options.isRepeatable && repeats),
    onSuccess: (answer: Answer<Id>, input: Input<Id>) => {
      void client.invalidateQueries()
      options.onDone?.(answer, input)
    },
  })
  return {
    take: mutate,
    takeAndWait: mutateAsync,
    error: error as Error | null,
    isBusy: isPending,
    reset,
    answer: data,
  }
}
