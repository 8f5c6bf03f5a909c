/* SPDX-License-Identifier: MIT */
/* A libcupti.so without a device: what it records is two kernels, a copy and a fill, the later
 * kernel first, as buffers may come. MOCK_CUPTI names a fault; mock_cupti_state() says what is left
 * on, mock_cupti_call() calls back as for a function of CUDA. */
#include <cupti.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { RECORDS = 4, STRIDE = 256 };

static int subscribers, enabled, domains;
static CUpti_CallbackFunc notice;
static void* notice_user;
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;

static int fault(const char* name) {
  const char* set = getenv("MOCK_CUPTI");
  return set != NULL && strcmp(set, name) == 0;
}

/* Enabled domains, subscribers and enabled kinds, as one number. */
EXPORT int mock_cupti_state(void) { return 1000 * domains + 100 * subscribers + enabled; }

EXPORT void mock_cupti_call(int domain, int site, const char* name) {
  const CUpti_CallbackData data = {.callbackSite = (CUpti_ApiCallbackSite)site,
                                   .functionName = name};
  if (domains == 2) notice(notice_user, (CUpti_CallbackDomain)domain, 0, &data);
}

EXPORT CUptiResult cuptiGetVersion(uint32_t* version) {
  *version = fault("future") ? 140000 : fault("past") ? 17 : 130001;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  static char buffer[32];
  snprintf(buffer, sizeof buffer, "result %d", (int)result);
  *text = buffer;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                                  void* user) {
  notice = callback;
  notice_user = user;
  if (callback == NULL) return CUPTI_ERROR_INVALID_PARAMETER;
  if (fault("busy") || subscribers > 0) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  ++subscribers;
  *subscriber = (CUpti_SubscriberHandle)&subscribers;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) {
  if (subscriber != (CUpti_SubscriberHandle)&subscribers) return CUPTI_ERROR_INVALID_PARAMETER;
  --subscribers;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber,
                                     CUpti_CallbackDomain domain) {
  if (subscriber != (CUpti_SubscriberHandle)&subscribers) return CUPTI_ERROR_INVALID_PARAMETER;
  if (fault("no_driver") && domain == CUPTI_CB_DOMAIN_DRIVER_API) return CUPTI_ERROR_NOT_SUPPORTED;
  domains += enable ? 1 : -1;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc on_request,
                                                  CUpti_BuffersCallbackCompleteFunc on_complete) {
  request = on_request;
  complete = on_complete;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  if (fault("no_fills") && kind == CUPTI_ACTIVITY_KIND_MEMSET) return CUPTI_ERROR_NOT_SUPPORTED;
  ++enabled;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  (void)kind;
  --enabled;
  return CUPTI_SUCCESS;
}

static CUpti_ActivityKernel9* kernel(uint8_t* at, const char* name, uint64_t start, uint64_t end) {
  CUpti_ActivityKernel9* record = (CUpti_ActivityKernel9*)at;
  record->kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  record->start = start;
  record->end = end;
  record->name = name;
  return record;
}

static void record_all(uint8_t* buffer) {
  memset(buffer, 0, RECORDS * STRIDE);
  CUpti_ActivityKernel9* second = kernel(buffer, "plain_c_kernel", 1020500, 1030000);
  second->gridX = second->blockX = 1;
  CUpti_ActivityKernel9* first =
      kernel(buffer + STRIDE, "_Z4wideI6__halfLi128EEvPKT_", 1000000, 1020000);
  first->gridX = 132, first->gridY = 2, first->gridZ = 1;
  first->blockX = 128, first->blockY = 1, first->blockZ = 1;
  first->registersPerThread = 168;
  first->staticSharedMemory = 1024, first->dynamicSharedMemory = 65536;
  CUpti_ActivityMemcpy5* copy = (CUpti_ActivityMemcpy5*)(buffer + 2 * STRIDE);
  copy->kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy->copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOD;
  copy->bytes = 4096;
  copy->start = 1031000;
  copy->end = fault("no_time") ? 0 : 1032000;
  CUpti_ActivityMemset4* fill = (CUpti_ActivityMemset4*)(buffer + 3 * STRIDE);
  fill->kind = CUPTI_ACTIVITY_KIND_MEMSET;
  fill->bytes = 64;
  fill->start = 1033000;
  fill->end = 1033250;
}

EXPORT CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  static int recorded; /* what is delivered is not delivered again */
  (void)flag;
  if (enabled < 3) {
    recorded = 0;
    return CUPTI_SUCCESS;
  }
  if (fault("no_flush")) return CUPTI_ERROR_UNKNOWN;
  if (recorded) return CUPTI_SUCCESS;
  recorded = 1;
  uint8_t* buffer = NULL;
  size_t size = 0, most = 1;
  request(&buffer, &size, &most);
  if (buffer == NULL || size < RECORDS * STRIDE || most != 0) return CUPTI_ERROR_OUT_OF_MEMORY;
  record_all(buffer);
  complete(NULL, 0, buffer, size, fault("nothing") ? 0 : RECORDS * STRIDE);
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid,
                                              CUpti_Activity** record) {
  uint8_t* next = *record == NULL ? buffer : (uint8_t*)*record + STRIDE;
  if (fault("garbage") && next != buffer) return CUPTI_ERROR_INVALID_KIND;
  if (next >= buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity*)next;
  return CUPTI_SUCCESS;
}

EXPORT CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream,
                                                     size_t* dropped) {
  (void)context, (void)stream;
  *dropped = fault("dropped") ? 3 : 0;
  return CUPTI_SUCCESS;
}
