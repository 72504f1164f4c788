#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;

#pragma clang assume_nonnull begin

@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property (readonly) NSUInteger hash;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype)alloc;
- (instancetype)init __attribute__((objc_designated_initializer));
@end

#pragma clang assume_nonnull end
