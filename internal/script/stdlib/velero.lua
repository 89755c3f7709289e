--- @module assay.velero
--- @description Velero backups on Kubernetes. Backups, restores, schedules, storage and snapshot locations, repositories.
--- @keywords velero, backup, backups, restore, restores, schedules, disaster-recovery, snapshots, storage-location, kubernetes
--- @synonyms recover, recovery, bring-back, deleted, lost, undo, copy, volume, volumes, persistent, namespace, namespaces, cluster, migrate, archive, save, before-upgrade
--- @asked back up a namespace; restore from the last backup; did the backup of tonight succeed; schedule backups
--- @env KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT
--- @auth { token = "..." }
--- @quickref c:backups() -> [backup] | List backups
--- @quickref c:backup(name) -> backup or nil | Get a backup
--- @quickref c:backup_status(name) -> {phase, started, completed, expiration, errors, warnings, items_backed_up, items_total} | Get the progress of a backup
--- @quickref c:is_backup_completed(name) -> bool | Is a backup completed
--- @quickref c:is_backup_failed(name) -> bool | Did a backup fail, wholly or in part
--- @quickref c:latest_backup(schedule_name) -> backup or nil | Get the newest backup of a schedule
--- @quickref c:restores() -> [restore] | List restores
--- @quickref c:restore(name) -> restore or nil | Get a restore
--- @quickref c:restore_status(name) -> {phase, started, completed, errors, warnings} | Get the progress of a restore
--- @quickref c:is_restore_completed(name) -> bool | Is a restore completed
--- @quickref c:schedules() -> [schedule] | List schedules
--- @quickref c:schedule(name) -> schedule or nil | Get a schedule
--- @quickref c:schedule_status(name) -> {phase, last_backup, validation_errors} | Get the state of a schedule
--- @quickref c:is_schedule_enabled(name) -> bool | Is a schedule enabled
--- @quickref c:backup_storage_locations() -> [bsl] | List backup storage locations
--- @quickref c:backup_storage_location(name) -> bsl or nil | Get a backup storage location
--- @quickref c:is_bsl_available(name) -> bool | Is a backup storage location available
--- @quickref c:volume_snapshot_locations() -> [vsl] | List volume snapshot locations
--- @quickref c:volume_snapshot_location(name) -> vsl or nil | Get a volume snapshot location
--- @quickref c:backup_repositories() -> [repo] | List backup repositories
--- @quickref c:backup_repository(name) -> repo or nil | Get a backup repository
--- @quickref c:all_schedules_enabled() -> {enabled, disabled, total, disabled_names} | Count schedules that are enabled
--- @quickref c:all_bsl_available() -> {available, unavailable, total, unavailable_names} | Count storage locations that are available

local rest = require("assay._rest")
local kube = require("assay._kube")

local M = {}
local c = {}
c.__index = c

local api = kube.api("velero")

local function within(client, pattern, name)
  return api.path("/apis/velero.io/v1/namespaces/{}/" .. pattern, client.namespace, name)
end

local function find(client, kind, name)
  return api.find(client, within(client, kind .. "/{}", name))
end

local function list(client, kind)
  return (api.find(client, within(client, kind)) or {}).items or {}
end

-- state is the status of an object that must be there.
local function state(object, kind, name)
  return kube.status(object or error("velero: " .. kind .. " " .. name .. " not found", 0))
end

local function enabled(schedule)
  return kube.status(schedule).phase == "Enabled" and not (schedule.spec or {}).paused
end

local function available(location)
  return kube.status(location).phase == "Available"
end

function M.client(url, token, namespace)
  local client = kube.client("velero", c, url, token, env.get("KUBERNETES_SERVICE_HOST"), env.get("KUBERNETES_SERVICE_PORT"))
  client.namespace = namespace or "velero"
  return client
end

function c:backups()
  return list(self, "backups")
end

function c:backup(name)
  return find(self, "backups", name)
end

function c:backup_status(name)
  local status = state(self:backup(name), "backup", name)
  local progress = status.progress or {}
  return {
    phase = status.phase,
    started = status.startTimestamp,
    completed = status.completionTimestamp,
    expiration = status.expiration,
    errors = status.errors or 0,
    warnings = status.warnings or 0,
    items_backed_up = progress.itemsBackedUp or 0,
    items_total = progress.totalItems or 0,
  }
end

function c:is_backup_completed(name)
  return kube.status(self:backup(name)).phase == "Completed"
end

function c:is_backup_failed(name)
  local phase = kube.status(self:backup(name)).phase
  return phase == "Failed" or phase == "PartiallyFailed"
end

function c:latest_backup(schedule_name)
  local latest
  for _, backup in ipairs(self:backups()) do
    local metadata = backup.metadata
    if (metadata.labels or {})["velero.io/schedule-name"] == schedule_name
      and (not latest or metadata.creationTimestamp > latest.metadata.creationTimestamp) then
      latest = backup
    end
  end
  return latest
end

function c:restores()
  return list(self, "restores")
end

function c:restore(name)
  return find(self, "restores", name)
end

function c:restore_status(name)
  local status = state(self:restore(name), "restore", name)
  return {
    phase = status.phase,
    started = status.startTimestamp,
    completed = status.completionTimestamp,
    errors = status.errors or 0,
    warnings = status.warnings or 0,
  }
end

function c:is_restore_completed(name)
  return kube.status(self:restore(name)).phase == "Completed"
end

function c:schedules()
  return list(self, "schedules")
end

function c:schedule(name)
  return find(self, "schedules", name)
end

function c:schedule_status(name)
  local status = state(self:schedule(name), "schedule", name)
  return {
    phase = status.phase,
    last_backup = status.lastBackup,
    validation_errors = status.validationErrors or {},
  }
end

function c:is_schedule_enabled(name)
  return enabled(self:schedule(name))
end

function c:backup_storage_locations()
  return list(self, "backupstoragelocations")
end

function c:backup_storage_location(name)
  return find(self, "backupstoragelocations", name)
end

function c:is_bsl_available(name)
  return available(self:backup_storage_location(name))
end

function c:volume_snapshot_locations()
  return list(self, "volumesnapshotlocations")
end

function c:volume_snapshot_location(name)
  return find(self, "volumesnapshotlocations", name)
end

function c:backup_repositories()
  return list(self, "backuprepositories")
end

function c:backup_repository(name)
  return find(self, "backuprepositories", name)
end

function c:all_schedules_enabled()
  local on, off, total, names = kube.tally(enabled, self:schedules())
  return { enabled = on, disabled = off, total = total, disabled_names = names }
end

function c:all_bsl_available()
  local up, down, total, names = kube.tally(available, self:backup_storage_locations())
  return { available = up, unavailable = down, total = total, unavailable_names = names }
end

return rest.module("velero", M, "url string", "token string or table: token", "namespace string")
