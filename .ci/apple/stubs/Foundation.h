#pragma once
#include "ObjectiveC.h"

#define NAME(name) __attribute__((swift_name(name)))
#define SENDABLE __attribute__((swift_attr("@Sendable")))

#pragma clang assume_nonnull begin

typedef unsigned long CFOptionFlags;

SENDABLE @interface NSString : NSObject
@end

__attribute__((swift_bridge("Data"))) SENDABLE @interface NSData : NSObject
@end

__attribute__((swift_bridge("Swift.Error"))) SENDABLE @interface NSError : NSObject
@end

typedef NSString *NSRunLoopMode NAME("RunLoop.Mode") __attribute__((swift_wrapper(struct)));

extern const NSRunLoopMode NSDefaultRunLoopMode NAME("RunLoop.Mode.default");

NAME("RunLoop") @interface NSRunLoop : NSObject
@property (class, readonly) NSRunLoop *currentRunLoop NAME("current");
@end

typedef NSString *NSStreamPropertyKey NAME("Stream.PropertyKey") __attribute__((swift_wrapper(struct)));

extern const NSStreamPropertyKey NSStreamFileCurrentOffsetKey NAME("Stream.PropertyKey.fileCurrentOffsetKey");

enum __attribute__((enum_extensibility(open))) NAME("Stream.Status") NSStreamStatus : NSUInteger {
    NSStreamStatusNotOpen, NSStreamStatusOpening, NSStreamStatusOpen, NSStreamStatusReading, NSStreamStatusWriting,
    NSStreamStatusAtEnd, NSStreamStatusClosed, NSStreamStatusError
};

NAME("StreamDelegate") @protocol NSStreamDelegate <NSObject>
@end

NAME("Stream") @interface NSStream : NSObject
- (void)open;
- (void)close;
@property (nullable, assign) id<NSStreamDelegate> delegate;
- (nullable id)propertyForKey:(NSStreamPropertyKey)key;
- (BOOL)setProperty:(nullable id)property forKey:(NSStreamPropertyKey)key;
- (void)scheduleInRunLoop:(NSRunLoop *)loop forMode:(NSRunLoopMode)mode NAME("schedule(in:forMode:)");
- (void)removeFromRunLoop:(NSRunLoop *)loop forMode:(NSRunLoopMode)mode NAME("remove(from:forMode:)");
@property (readonly) enum NSStreamStatus streamStatus;
@property (nullable, readonly, copy) NSError *streamError;
@end

NAME("InputStream") @interface NSInputStream : NSStream
- (NSInteger)read:(uint8_t *)buffer maxLength:(NSUInteger)length;
- (BOOL)getBuffer:(uint8_t *_Nullable *_Nonnull)buffer length:(NSUInteger *)length;
@property (readonly) BOOL hasBytesAvailable;
- (instancetype)initWithData:(NSData *)data __attribute__((objc_designated_initializer));
@end

#pragma clang assume_nonnull end
