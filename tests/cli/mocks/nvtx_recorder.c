/* SPDX-License-Identifier: MIT */
/* What a profiler is to NVTX (NVTX_INJECTION64_PATH): writes a line for each range that is begun or
 * ended, and for the end of the process, to the file that NVTX_RECORD names, with the process's id
 * behind it. Inside the range "timed" NVTX_IN_TIMED is set. With NVTX_TERMINATE_AT_TIMED=n the n-th
 * range "timed" ends with a SIGTERM to the parent. */
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t last_range;
static uint64_t timed_range;
static int timed_ranges;

static void record(const char* what, uint64_t range, const char* domain, const char* text) {
  char path[1024];
  char line[1024];
  const char* base = getenv("NVTX_RECORD");
  if (base == NULL) return;
  snprintf(path, sizeof path, "%s.%ld", base, (long)getpid());
  int length = snprintf(line, sizeof line, "%s\t%llu\t%s\t%s\n", what, (unsigned long long)range,
                        domain, text);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (write(file, line, (size_t)length) != length) abort();
  close(file);
}

/* A handle is the text itself. */
static void* keep(const char* text) { return strdup(text); }

static nvtxDomainHandle_t on_domain(const char* name) { return keep(name); }

static nvtxStringHandle_t on_string(nvtxDomainHandle_t domain, const char* text) {
  (void)domain;
  return keep(text);
}

static nvtxRangeId_t on_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* range) {
  const char* text = "not registered";
  if (range->messageType == NVTX_MESSAGE_TYPE_REGISTERED) text = (char*)range->message.registered;
  record("start", ++last_range, (char*)domain, text);
  if (strcmp(text, "timed") == 0) {
    setenv("NVTX_IN_TIMED", "1", 1);
    timed_range = last_range;
    ++timed_ranges;
  }
  return last_range;
}

static void on_end(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  const char* terminate = getenv("NVTX_TERMINATE_AT_TIMED");
  if (range == timed_range) unsetenv("NVTX_IN_TIMED");
  record("end", range, (char*)domain, "");
  if (terminate == NULL || range != timed_range || timed_ranges != atoi(terminate)) return;
  kill(getppid(), SIGTERM);
  pause();
}

__attribute__((destructor)) static void on_exit_of_process(void) {
  if (last_range > 0) record("exit", 0, "", "");
}

static int on_push(const char* text) {
  record("push", 0, "", text);
  return 0;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_table) {
  const NvtxExportTableCallbacks* callbacks = get_table(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable core = NULL;
  NvtxFunctionTable core2 = NULL;
  unsigned size = 0;
  if (callbacks == NULL || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &size) ||
      !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &core2, &size)) {
    return 0;
  }
  *core[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)on_push;
  *core2[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)on_domain;
  *core2[NVTX_CBID_CORE2_DomainRegisterStringA] = (NvtxFunctionPointer)on_string;
  *core2[NVTX_CBID_CORE2_DomainRangeStartEx] = (NvtxFunctionPointer)on_start;
  *core2[NVTX_CBID_CORE2_DomainRangeEnd] = (NvtxFunctionPointer)on_end;
  return 1;
}
