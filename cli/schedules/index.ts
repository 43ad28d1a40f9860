export { listSchedules } from './list-schedules.js'
export { runSchedule } from './run-schedule.js'
