import type { WorkflowHandle } from '@temporalio/client'

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>

type Event = NonNullable<History['events']>[number]

/** Of a conversion in the first workflow task; what it has left to the activity has no result. */
const attemptInTask = ({ markerRecordedEventAttributes: marker }: Event): number[] => {
  const text = (name: string): string => {
    const [payload] = marker?.details?.[name]?.payloads ?? []
    return payload?.data ? Buffer.from(payload.data).toString() : ''
  }
  if (marker?.markerName !== 'core_local_activity' || text('result') === 'null') return []
  const { attempt } = JSON.parse(text('data')) as { attempt: number }
  return [attempt]
}

/** How often a conversion was begun, as its last attempt says. */
export const conversionAttempts = ({ events }: History): number[] =>
  (events ?? []).flatMap((event) => {
    const attempt = event.activityTaskStartedEventAttributes?.attempt
    return attempt ? [attempt] : attemptInTask(event)
  })
